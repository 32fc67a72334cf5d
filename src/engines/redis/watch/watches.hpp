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

    /// One for each key at a time.
    void add(key_watch& w);
    void remove(const key_watch& w) noexcept;

    void node_ready(std::uint32_t node);
    void node_down(std::uint32_t node);
    /// How the node tells, if that is not known and nobody is about to find out.
    void find_out(std::uint32_t node);
    void ear_ready(std::uint32_t node);
    void ear_down(std::uint32_t node);
    void take_push(std::uint32_t node, const resp::reply& message);

private:
    void wakeup_found(std::uint32_t node, redlock::wakeup found) noexcept override;
    key_watch* of(std::string_view full_key) noexcept;

    quorum& quorum_;
    std::vector<std::unique_ptr<event_probe>> probes_;        ///< by node
    std::unordered_map<std::string_view, key_watch*> by_key_; ///< the watch owns the text of the key
};

} // namespace redlock::redis
