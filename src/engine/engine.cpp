#include "engine/engine.hpp"

#include <stdexcept>
#include <utility>

namespace redlock::engine {

claim_pointer engine::claim_again(const claim& before, std::string_view prefix, bool fencing) {
    key_name same(detail::key_text(before.full_key.view().substr(prefix.size())), before.permit().size());
    same.mode = before.mode();
    same.leads = before.leads();
    return claim_key(prefix, std::move(same), fencing);
}

// Most engines give each key a life of its own.
errand_pointer<> engine::keep(claim_pointer left, std::chrono::milliseconds life, std::uint64_t fencing_token,
                              renewal_listener& listener) {
    return renew(std::move(left), life, fencing_token, listener);
}

contest& engine::drain(const wish&, drain_listener&) {
    throw std::logic_error("an engine without locks for writing was asked for one");
}

errand_pointer<> engine::downgrade(claim_pointer, claim_pointer, std::chrono::milliseconds,
                                   renewal_listener&) {
    throw std::logic_error("an engine that cannot downgrade a lease was asked to");
}

errand_pointer<> engine::proclaim(const claim_pointer&, std::uint64_t, std::string, proclamation_listener&) {
    throw std::logic_error("an engine without leaders was asked for one");
}

question_pointer engine::list(std::string, std::size_t, answer_listener<key_list>&) {
    throw std::logic_error("an engine that cannot search was asked to");
}

question_pointer engine::observe(std::string, leader_mark, answer_listener<leader_info>&) {
    throw std::logic_error("an engine without leaders was asked for one");
}

} // namespace redlock::engine
