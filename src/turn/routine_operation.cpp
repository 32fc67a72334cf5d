#include "turn/routine_operation.hpp"

#include <cassert>
#include <utility>

namespace redlock::turn {

void routine_operation::run(routine body) {
    assert(!running());
    routine_ = std::move(body);
    events_came();
}

void routine_operation::stop_running() noexcept {
    stop_waiting();
    routine_ = routine();
}

void routine_operation::events_came() {
    routine_.resume();
    if (!routine_.done()) return;
    routine finished;
    std::swap(finished, routine_);
    routine_ended();
}

} // namespace redlock::turn
