#pragma once

#include "engines/zookeeper/rule/place.hpp"
#include "engines/zookeeper/session/session.hpp"

#include <functional>
#include <string>

namespace redlock::zookeeper {

/// Reads the folder of a key at one moment: the record, and behind it the nodes, or the nodes alone.
class folder_look {
public:
    struct outcome {
        errc why{};              ///< nothing was seen
        bool is_foreign = false; ///< for somebody else keeps something there
        sight seen{};
        reply::kind last = reply::kind::failed; ///< what became of the request that was sent last,
        core::instant sent_at{};                ///< and when
    };
    /// In a turn. The look may be begun anew, or destroyed, there.
    using handler = std::function<void(const outcome&)>;

    /// `syncs`: sees whatever was done before anywhere, also over a server that is behind.
    void begin(session& over, const std::string& path, bool syncs, handler told);
    /// For one without a node, with one request where that is enough (`suffices_for_arrival`): then what is
    /// seen names no holder.
    void begin_arrival(session& over, const std::string& path, bool reads, handler told);

private:
    void prepare(session& over, const std::string& path, handler told);
    void ask(bool syncs);
    void take_first_nodes(const reply& r, bool reads);
    void note(children_reply&& read);
    void take_record(const reply& r);
    void take_nodes(const reply& r);
    void tell();
    void fail(const reply& r);

    session* session_ = nullptr;
    std::string path_;
    handler told_;
    outcome found_;
    std::int64_t seen_with_nodes_ = 0;
    unsigned looks_ = 0;
    awaited_call record_, nodes_;
};

} // namespace redlock::zookeeper
