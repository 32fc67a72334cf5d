#include "engines/etcd/rule/try_names.hpp"

#include <cassert>
#include <utility>

namespace redlock::etcd {

/// The names that a client has taken for one lock.
struct try_names::used {
    const std::string* lock = nullptr;
    unsigned next = 0;          ///< number, which none has had
    std::vector<unsigned> free; ///< those that were given back
};

struct try_names::state {
    std::unordered_map<std::string, used> locks; ///< of which names are taken
    std::uint64_t era = 1;                       ///< goes on with each doubt
    std::uint64_t random = 0;                    ///< the names of this era; 0 before the first

    void begin_era() {
        locks.clear();
        ++era;
        random = 0;
    }
};

try_names::try_names(const core::client_name& client, draw random)
    : client_(client), draw_(std::move(random)), state_(std::make_shared<state>()) {}

std::shared_ptr<try_names::name> try_names::take(const std::string& lock) {
    // Names of one era are numbers in a row, and those of two are too far apart to meet.
    while (state_->random == 0)
        state_->random = draw_();
    const auto found = state_->locks.try_emplace(lock).first;
    used& among = found->second;
    among.lock = &found->first;
    unsigned number = among.next;
    if (among.free.empty()) {
        among.free.reserve(++among.next);
    } else {
        number = among.free.back();
        among.free.pop_back();
    }
    return std::shared_ptr<name>(new name(state_, among, number, {client_, 0, state_->random + number}));
}

try_names::name::name(std::shared_ptr<state> of, used& among, unsigned number, const core::lock_token& token)
    : state_(std::move(of)), among_(among), era_(state_->era), number_(number), token_(token) {}

try_names::name::~name() {
    if (state_ && state_->era == era_) state_->begin_era();
}

void try_names::name::give_back() noexcept {
    const std::shared_ptr<state> of = std::exchange(state_, nullptr);
    if (!of || of->era != era_) return;
    assert(among_.free.size() < among_.next);
    among_.free.push_back(number_);
    if (among_.free.size() == among_.next) of->locks.erase(of->locks.find(*among_.lock));
}

std::string shown_try(std::string_view name, messages::revision created) {
    const auto number = static_cast<std::uint64_t>(created);
    if (!core::is_token(name) || number > core::lock_token::highest_ticket) return std::string(name);
    return core::with_ticket(name, number);
}

std::optional<try_shown> read_shown_try(std::string_view text) {
    const auto parts = core::read_token(text);
    // No revision makes a key but a later one.
    if (!parts || parts->ticket == 0 || !core::is_token(text)) return std::nullopt;
    return try_shown{.name = core::with_ticket(text, 0),
                     .created = static_cast<messages::revision>(parts->ticket)};
}

} // namespace redlock::etcd
