#include "engines/memory/memory_engine.hpp"

#include "engines/memory/contest.hpp"
#include "engines/memory/observation.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace redlock::memory {

namespace seam = redlock::engine; // whose name is that of its main class

namespace {

constexpr std::size_t longest_name = 64;

/// Says what it has to say at the end of the turn, unless it was let go of before.
template <class Say>
class late_answer final : public seam::errand, public detail::pooled, private turn::operation {
public:
    late_answer(turn::turns& t, Say say) : operation(t.ready()), say_(std::move(say)) {
        await(1);
        raise(1);
    }
    void let_go() noexcept override { delete this; }

private:
    ~late_answer() = default;
    void events_came() noexcept override {
        Say last = std::move(say_); // for it may let go of this
        last();
    }

    Say say_;
};

template <class Say>
seam::errand_pointer<> say_later(turn::turns& t, Say say) {
    return seam::errand_pointer<>(new late_answer<Say>(t, std::move(say)));
}

/// The store is wanted to answer a failed request as a quorum does one that too few nodes answered.
seam::outcome outcome_of(errc e) noexcept {
    if (e == errc{}) return seam::outcome::confirmed;
    return e == errc::lease_lost ? seam::outcome::gone : seam::outcome::inconclusive;
}

} // namespace

std::string_view checked_name(std::string_view name) {
    const bool fits = !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '-' || c == '_';
    });
    if (!fits)
        throw std::system_error(
            errc::invalid_uri, "config::nodes[0]: behind memory:// stands a name of 1 to 64 letters, digits, "
                               "dots, hyphens and underscores");
    return name;
}

memory_engine::memory_engine(std::shared_ptr<store> keys, std::shared_ptr<redlock::observer> observer,
                             turn::turns& t, call_later later, std::string holder_label)
    : keys_(std::move(keys)), observer_(std::move(observer)), turns_(t), later_(std::move(later)) {
    label = std::move(holder_label);
}

memory_engine::~memory_engine() {
    disconnect();
    abandon();
}

seam::claim_pointer memory_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), prefix, std::move(key),
                                             keys_->draw_claim());
}

std::shared_ptr<const claim> memory_engine::claim_anew(const claim& before) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), before, keys_->draw_claim());
}

seam::contest& memory_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(*this, std::move(w), listener);
}

seam::errand_pointer<> memory_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                            std::uint64_t, seam::renewal_listener& listener) {
    const claim& extended = own(*held);
    const errc answer = keys_->extend(extended.full_key, extended.number, life, extended.proclaimed.get());
    return say_later(turns_, [answer, sent_at = turns_.now(), &listener] {
        listener.renewal_decided(outcome_of(answer), sent_at, answer, nullptr);
    });
}

seam::errand_pointer<> memory_engine::downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                                std::chrono::milliseconds life,
                                                seam::renewal_listener& listener) {
    const errc answer = keys_->join_as_reader(held->full_key, own(*held).number, own(*reading).number, life);
    return say_later(turns_, [answer, sent_at = turns_.now(), &listener] {
        listener.renewal_decided(outcome_of(answer), sent_at, answer, nullptr);
    });
}

seam::errand_pointer<> memory_engine::advance_token(const seam::claim_pointer& held,
                                                    seam::token_listener& listener) {
    std::uint64_t token = 0;
    const errc answer = keys_->advance_token(held->full_key, own(*held).number, token);
    return say_later(turns_, [answer, token, &listener] {
        listener.token_decided(outcome_of(answer), token, answer, nullptr);
    });
}

seam::errand_pointer<> memory_engine::proclaim(const seam::claim_pointer& held, std::uint64_t term,
                                               std::string value, seam::proclamation_listener& listener) {
    const claim& leading = own(*held);
    const std::uint64_t version = leading.proclaimed ? leading.proclaimed->mark.version + 1 : 1;
    leading.proclaimed = std::make_unique<leader_info>(
        leader_info{.value = std::move(value), .mark = {term, version}, .present = true});
    const errc answer = keys_->proclaim(leading.full_key, leading.number, *leading.proclaimed);
    return say_later(turns_,
                     [answer, &listener] { listener.proclaimed(outcome_of(answer), answer, nullptr); });
}

void memory_engine::release(seam::claim_pointer held, core::instant, turn::outcome_waiters&& told,
                            bool lost) {
    const errc answer = keys_->release(held->full_key, own(*held).number);
    turn::answer(told, turn::code_of(lost ? errc::lease_lost : answer));
}

void memory_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    key_state state;
    if (keys_->look(held->full_key, state) == errc{} && state.waiting == 0)
        listener.nobody_else_waits(held->full_key);
}

// Another thread that gives something back must not call this client while it is being made or destroyed.
void memory_engine::start() { keys_->join(*this); }

void memory_engine::stop(std::function<void()> ended) {
    keys_->leave(*this);
    later_(std::move(ended));
}

void memory_engine::disconnect() noexcept {
    keys_->leave(*this);
    later_ = nullptr;
}

void memory_engine::abandon() noexcept {
    while (!contests_.empty())
        delete &contests_.front();
}

std::string memory_engine::node_name() const { return "memory://" + keys_->name(); }

void memory_engine::report(metrics_snapshot& to) const {
    to.engine = "memory";
    to.refusals = refusals_;
    to.no_quorum = failures_;
    node_metrics itself{};
    itself.node = node_name();
    itself.state = "ready";
    to.nodes.push_back(std::move(itself));
}

void memory_engine::something_came() noexcept { turns_.calls().push(*this); }

void memory_engine::arrive() noexcept {
    std::vector<seeker*> served;
    std::vector<std::uint64_t> lost;
    const news came = keys_->empty(*this, served, lost);
    for (seeker* s : served)
        s->key_came();
    if (came.runs_out_earlier)
        for (contest& c : contests_)
            c.look_again();
    if (came.leaders_changed)
        for (auto next = observations_.begin(); next != observations_.end();) {
            observation& o = *next++; // it may end
            o.look();
        }
    if (lost.empty() || !losses_) return;
    losses_->keys_lost([&](const seam::claim& c) { return std::ranges::count(lost, own(c).number) > 0; });
}

} // namespace redlock::memory
