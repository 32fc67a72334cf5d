#pragma once

#include "engines/redis/watch/event_probe.hpp"
#include "engines/redis/watch/key_watch.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redlock::redis {

/// Which keys are watched, and how each node tells of changes to them. Takes the messages of the nodes to the
/// watch that they are about.
class watches final : private probe_listener {
public:
    explicit watches(quorum& r) noexcept : quorum_(r) {}
    watches(const watches&) = delete;
    watches& operator=(const watches&) = delete;

    void set_nodes(unsigned count);

    /// One for each key at a time, or two where somebody is to read it and another to write.
    void add(key_watch& w) { add(w.watched().full_key, w); }
    void remove(const key_watch& w) noexcept { remove(w.watched().full_key, w); }
    /// Of any kind, as many as there are. The text of the key is whoever listens.
    void add(std::string_view full_key, key_ear& e);
    void remove(std::string_view full_key, const key_ear& e) noexcept;
    /// Whether another one listens there to the same key.
    bool is_heard_by_another(std::string_view full_key, const key_ear& e, std::uint32_t node) const noexcept;

    void node_ready(std::uint32_t node);
    void node_down(std::uint32_t node);
    /// How the node tells, if that is not known and nobody is about to find out.
    void find_out(std::uint32_t node);
    void ear_ready(std::uint32_t node);
    void ear_down(std::uint32_t node);
    void take_push(std::uint32_t node, const resp::reply& message);

private:
    void wakeup_found(std::uint32_t node, redlock::wakeup found) noexcept override;
    void changed(std::string_view full_key, std::uint32_t node, key_change::kind what);

    quorum& quorum_;
    std::vector<std::unique_ptr<event_probe>> probes_; ///< by node
    std::unordered_multimap<std::string_view, key_ear*> by_key_;
};

} // namespace redlock::redis
