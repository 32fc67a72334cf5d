#include "engines/memory/observation.hpp"

#include <utility>

namespace redlock::memory {

observation::observation(memory_engine& by, std::string&& full_key, const leader_mark& known,
                         engine::answer_listener<leader_info>& listener)
    : engine_(by), key_(std::move(full_key)), known_(known), listener_(listener) {
    by.observations().push_back(*this);
    by.keys().observe(by.box(), true);
}

observation::~observation() { engine_.keys().observe(engine_.box(), false); }

void observation::look() {
    key_state found = engine_.keys().peek(key_);
    if (found.leader) {
        // A leader that died tells nobody.
        engine_.turns().timers().arm(*this, found.expires);
        if (known_.is_news(found.leader->mark)) listener_.told({}, std::move(*found.leader));
    } else {
        disarm();
        if (known_.nobody_is_news()) listener_.told({}, {.value = {}, .mark = known_.mark_of_nobody()});
    }
}

void observation::client_closes() noexcept { listener_.told(make_error_code(errc::closed), {}); }

} // namespace redlock::memory
