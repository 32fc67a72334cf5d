#include "engines/zookeeper/questions/marks_look.hpp"

#include "engines/zookeeper/rule/lock_record.hpp"

#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t marks_at_once = 64;

} // namespace

void marks_look::begin(session& over, std::string folder, std::vector<reader_mark> marks, handler told) {
    session_ = &over;
    folder_ = std::move(folder);
    marks_ = std::move(marks);
    told_ = std::move(told);
    ask();
}

void marks_look::ask() {
    calls_.clear();
    open_ = 0;
    while (next_ < marks_.size() && open_ < marks_at_once && why_ == errc{}) {
        const std::size_t which = next_++;
        ++open_;
        calls_.emplace_back().wait_for(
            session_->submit(get_data(folder_ + "/" + marks_[which].name, false),
                             [this, which, at = calls_.size() - 1](const reply& r) { take(which, at, r); }));
    }
    if (open_ == 0) tell();
}

void marks_look::take(std::size_t which, std::size_t at, const reply& r) {
    calls_[at].is_over();
    const bool is_gone = r.what == reply::kind::refused && r.said == fault::no_node;
    if (const auto read = r.is_done() ? read_data(r.body) : std::nullopt) {
        mark_content content = read_mark_content(read->data);
        seen_.push_back(
            {.mark = marks_[which],
             .fence = content.fence != 0 ? content.fence : static_cast<std::uint64_t>(read->state.created),
             .label = std::move(content.label)});
    } else if (!is_gone && why_ == errc{}) {
        why_ = r.is_done() ? errc::protocol_error : meaning_of(r);
    }
    if (--open_ == 0) ask();
}

void marks_look::tell() {
    const handler told = std::exchange(told_, nullptr);
    const std::vector<seen_mark> last = std::move(seen_);
    if (told) told(why_, last);
}

} // namespace redlock::zookeeper
