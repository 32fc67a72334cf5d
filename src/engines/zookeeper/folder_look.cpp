#include "engines/zookeeper/folder_look.hpp"

#include <utility>

namespace redlock::zookeeper {

namespace {

// The record was written in between so often: it does not end by itself.
constexpr unsigned most_looks = 64;

} // namespace

void folder_look::prepare(session& over, const std::string& path, handler told) {
    session_ = &over;
    path_ = path;
    told_ = std::move(told);
    looks_ = 0;
}

void folder_look::begin(session& over, const std::string& path, bool syncs, handler told) {
    prepare(over, path, std::move(told));
    ask(syncs);
}

void folder_look::begin_arrival(session& over, const std::string& path, bool reads, handler told) {
    prepare(over, path, std::move(told));
    found_ = {};
    nodes_.wait_for(
        session_->submit(get_children(path_), [this, reads](const reply& r) { take_first_nodes(r, reads); }));
}

void folder_look::take_first_nodes(const reply& r, bool reads) {
    nodes_.is_over();
    found_.last = r.what;
    found_.sent_at = r.sent_at;
    auto read = r.is_done() ? read_children(r.body) : std::nullopt;
    if (!read) {
        fail(r);
        return tell();
    }
    sight& seen = found_.seen;
    seen.exists = true;
    seen.version = read->state.version;
    seen.written_by = read->state.modified;
    const auto size = static_cast<std::size_t>(read->state.size);
    seen.is_shared = size == shared_record.size(); // that of a holder is longer
    note(std::move(*read));
    suffices_for_arrival(seen, size == 0, reads) ? tell() : ask(false);
}

void folder_look::note(children_reply&& read) {
    for (const std::string& name : read.names)
        if (auto node = read_place(name))
            found_.seen.nodes.push_back(std::move(*node));
        else if (auto mark = read_mark(name))
            found_.seen.marks.push_back(std::move(*mark));
        else
            found_.seen.has_leader = found_.seen.has_leader || name == leader_name;
}

void folder_look::ask(bool syncs) {
    ++looks_;
    found_ = {};
    seen_with_nodes_ = 0;
    // Whatever it answers, what follows is asked behind it.
    if (syncs) session_->submit(sync(path_), nullptr);
    record_.wait_for(session_->submit(get_data(path_, false), [this](const reply& r) { take_record(r); }));
    nodes_.wait_for(session_->submit(get_children(path_), [this](const reply& r) { take_nodes(r); }));
}

void folder_look::fail(const reply& r) {
    const bool is_missing = r.what == reply::kind::refused && r.said == fault::no_node;
    if (!is_missing && found_.why == errc{}) found_.why = r.is_done() ? errc::protocol_error : meaning_of(r);
}

void folder_look::take_record(const reply& r) {
    record_.is_over();
    const auto read = r.is_done() ? read_data(r.body) : std::nullopt;
    if (!read) return fail(r);
    sight& seen = found_.seen;
    seen.exists = true;
    seen.version = read->state.version;
    seen.written_by = read->state.modified;
    folder_content content = read_content(read->data);
    found_.is_foreign = !content.is_ours;
    seen.holder = std::move(content.holder);
    seen.is_shared = content.is_shared;
}

void folder_look::take_nodes(const reply& r) {
    nodes_.is_over();
    found_.last = r.what;
    found_.sent_at = r.sent_at;
    if (auto read = r.is_done() ? read_children(r.body) : std::nullopt) {
        seen_with_nodes_ = read->state.modified;
        note(std::move(*read));
    } else {
        fail(r);
    }
    const bool is_one_moment = seen_with_nodes_ == (found_.seen.exists ? found_.seen.written_by : 0);
    if (found_.why == errc{} && !is_one_moment && looks_ < most_looks) return ask(false);
    if (found_.why == errc{} && !is_one_moment) found_.why = errc::node_timeout;
    tell();
}

void folder_look::tell() {
    if (found_.why == errc{} && found_.is_foreign) found_.why = errc::protocol_error;
    const outcome last = std::move(found_);
    const handler told = std::exchange(told_, nullptr);
    if (told) told(last);
}

} // namespace redlock::zookeeper
