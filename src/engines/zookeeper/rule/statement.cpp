#include "engines/zookeeper/rule/statement.hpp"

#include "core/election/leader_record.hpp"

namespace redlock::zookeeper {

void statement::proclaim(std::uint64_t term, std::string_view value) {
    mark_ = {.term = term, .version = mark_.term == term ? mark_.version + 1 : 1};
    record_ = core::leader_record(mark_, value);
    is_obstructed_ = false;
}

statement::action statement::ask(action a) noexcept {
    asked_ = a;
    asked_mark_ = mark_;
    return a;
}

statement::action statement::next() noexcept {
    if (asked_ != action::nothing || key_is_gone_ || is_obstructed_) return action::nothing;
    if (is_unsure_) return ask(action::look);
    if (!version_) return ask(action::make);
    if (!stands(mark_)) return ask(action::write);
    return is_to_check_ ? ask(action::check) : action::nothing;
}

void statement::answered(answer a) noexcept {
    const action asked = asked_;
    asked_ = action::nothing;
    switch (a) {
    case answer::done:
        if (asked == action::make) version_ = 0;
        if (asked == action::write) ++*version_;
        if (asked != action::check) stands_ = asked_mark_;
        is_to_check_ = false;
        return;
    case answer::key_gone:
        key_is_gone_ = true;
        return;
    case answer::node_gone:
        version_.reset();
        stands_ = {};
        is_unsure_ = false;
        return;
    case answer::unknown:
        may_come_late_ = may_come_late_ || asked == action::make;
        [[fallthrough]];
    case answer::node_there:
    case answer::changed:
        is_unsure_ = true;
    }
}

void statement::seen(std::int32_t version, bool is_own, std::string_view data) {
    asked_ = action::nothing;
    is_unsure_ = is_to_check_ = false;
    is_obstructed_ = !is_own;
    version_.reset();
    stands_ = {};
    if (!is_own) return;
    version_ = version;
    if (const auto found = core::read_leader_record(data)) stands_ = found->mark;
}

} // namespace redlock::zookeeper
