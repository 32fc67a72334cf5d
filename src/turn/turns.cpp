#include "turn/turns.hpp"

namespace redlock::turn {

void turns::end(bool flushes) {
    work_->before_routines();
    inbox_.take([](inbox_item& item) { item.arrive(); });
    ready_.run();
    // The turn of the alarm may come behind much else that waits for the executor, and a holder who gets its
    // turn before has to know. After the routines, for a reply that was just read may save what is overdue.
    timers_.fire(now());
    ready_.run();
    for (bool again = true; again;) {
        again = work_->send_what_waits(flushes);
        ready_.run();
    }
    work_->after_routines();
    listener_.turn_ended(timers_.next());
}

} // namespace redlock::turn
