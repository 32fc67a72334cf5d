#include "engines/zookeeper/zookeeper_engine.hpp"

#include "core/validity.hpp"
#include "engines/zookeeper/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::zookeeper {

namespace {

// How long a client that closes waits for servers that are away, to give keys back, in answers.
constexpr int patience_of_closing = 4;

std::string phrase_of(errc why) {
    switch (why) {
    case errc::permission_denied:
        return "forbids what the lock needs: its nodes belong to another user";
    case errc::read_only:
        return "takes no writes";
    case errc::node_timeout:
        return "did not answer in time";
    case errc::node_unavailable:
        return "is not connected";
    default:
        return fmt::format("did not do it: {}", make_error_code(why).message());
    }
}

} // namespace

zookeeper_engine::zookeeper_engine(const strand& on, settings s, turn::turns& t)
    : settings_(std::move(s)),
      name_(settings_.ensemble.name()),
      turns_(t),
      client_(core::draw(*settings_.entropy)),
      grants_(settings_.max_inflight, settings_.session.patience),
      departing_(settings_.max_inflight, settings_.session.patience),
      servers_(on, t, settings_.ensemble, settings_.session, static_cast<session_listener&>(*this)),
      joint_(servers_),
      renewals_(*this),
      proclamations_(*this),
      tenures_(t.timers(), static_cast<tenure_listener&>(*this)) {}

zookeeper_engine::~zookeeper_engine() {
    disconnect();
    abandon();
}

core::lock_token zookeeper_engine::draw_token() { return {client_, 0, core::draw(*settings_.entropy)}; }

seam::claim_pointer zookeeper_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), prefix, std::move(key),
                                             draw_token());
}

claim_pointer zookeeper_engine::claim_anew(const claim& before) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), before, draw_token());
}

seam::contest& zookeeper_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(*this, std::move(w), listener);
}

seam::errand_pointer<> zookeeper_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                               std::uint64_t, seam::renewal_listener& listener) {
    auto* const asked = new renewal(own(std::move(held)), life, listener);
    renewals_.add(*asked);
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> zookeeper_engine::advance_token(const seam::claim_pointer& held,
                                                       seam::token_listener& listener) {
    auto* const asked = new token_advance(own(held), listener);
    renewals_.add(*asked);
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> zookeeper_engine::proclaim(const seam::claim_pointer& held, std::uint64_t term,
                                                  std::string value, seam::proclamation_listener& listener) {
    return proclamations_.add(own(held), term, value, listener);
}

void zookeeper_engine::key_is_gone(const claim& of) noexcept {
    if (losses_) losses_->keys_lost([&](const seam::claim& c) { return &c == &of; });
}

void zookeeper_engine::release(seam::claim_pointer held, core::instant, turn::outcome_waiters&& told,
                               bool lost) {
    give_back(own(std::move(held)), lost, std::move(told));
}

void zookeeper_engine::give_back(claim_pointer c, bool lost, turn::outcome_waiters&& told) {
    tenures_.end(*c);
    c->has().given_back = true;
    proclamations_.given_back(*c);
    auto* const leaves = new departure(*this, std::move(c), lost, std::move(told));
    departures_.push_back(*leaves);
    leaves->start();
}

call& zookeeper_engine::make_folder(const std::string& path, call::handler told) {
    const auto make = [this](const std::string& at, call::handler&& then) -> call& {
        return servers_.submit(create(at, {}, life_of_node::persistent, access_of_nodes()), std::move(then));
    };
    if (!root_is_there_)
        for (std::size_t end = path.find('/', 1); end != path.npos; end = path.find('/', end + 1))
            make(path.substr(0, end), nullptr);
    return make(path, std::move(told));
}

void zookeeper_engine::note(errc why, const std::string& text) {
    last_error_ = why;
    last_text_ = text;
}

std::unique_ptr<ensemble_failure> zookeeper_engine::failure_of(errc why) const {
    return std::make_unique<ensemble_failure>(sentence_of(why));
}

std::string zookeeper_engine::sentence_of(errc why) const {
    const bool known = why == last_error_ && !last_text_.empty();
    return fmt::format("{} {}", name(), known ? last_text_ : phrase_of(why));
}

void zookeeper_engine::tell(bool ready, const std::string& why) noexcept {
    if (std::exchange(told_ready_, ready) == ready) return;
    if (observer()) observer()->node_changed(name(), ready, why);
}

// Whatever was watched may have gone meanwhile, and what is held may be.
void zookeeper_engine::session_serves() {
    // An answer to a ping waits for what was asked before it, and is awaited for so long.
    const core::nanoseconds time =
        std::min<core::nanoseconds>(settings_.session.patience, servers_.timeout() / 3);
    grants_.set_time(time);
    departing_.set_time(time);
    tell(true, name() + " is ready");
    watches_.are_gone();
    for (auto next = departures_.begin(); next != departures_.end();)
        (next++)->try_again();
    if (servers_.connects() > 1 && losses_) losses_->keys_in_doubt();
}

void zookeeper_engine::connection_lost(errc why, const std::string& text) {
    disconnects_ += told_ready_.value_or(false);
    note(why, fmt::format("{} ({})", text, servers_.server()));
    tell(false, sentence_of(why));
}

void zookeeper_engine::session_expired() {
    tenures_.clear();
    for (contest& c : contests_)
        c.session_expired();
    if (!losses_) return;
    losses_->keys_lost([](const seam::claim& c) { return static_cast<const claim&>(c).has().granted; });
}

void zookeeper_engine::node_changed(const std::string& path) { watches_.changed(path); }

// Transactions wait for the flush, and for others that come until then.
bool zookeeper_engine::send_what_waits(bool) noexcept {
    renewals_.send();
    if (!servers_.serves()) joint_.send();
    servers_.send_what_waits();
    return false;
}

void zookeeper_engine::flush() noexcept {
    renewals_.send();
    joint_.send();
    servers_.flush();
}

void zookeeper_engine::begin_closing() noexcept {
    gives_up_at_ = core::saturating_add(turns_.now(), patience_of_closing * settings_.session.patience);
    turns_.timers().arm(*this, gives_up_at_);
}

bool zookeeper_engine::quiet() const noexcept {
    if (!contests_.empty()) return false;
    return turns_.now() >= gives_up_at_ ||
           (departures_.empty() && renewals_.is_empty() && joint_.is_empty() && !servers_.is_busy());
}

void zookeeper_engine::stop(std::function<void()> ended) {
    disarm();
    left_ = true;
    tenures_.clear();
    servers_.end(std::move(ended));
}

void zookeeper_engine::leave() noexcept {
    left_ = true;
    servers_.leave();
}

void zookeeper_engine::fail_all() {
    tenures_.clear();
    renewals_.send();
    joint_.send();
    servers_.fail_all(errc::node_unavailable);
}

void zookeeper_engine::disconnect() noexcept { servers_.stop(); }

void zookeeper_engine::abandon() noexcept {
    while (!contests_.empty())
        delete &contests_.front();
    while (!departures_.empty())
        delete &departures_.front();
    looks_.clear();
    tenures_.clear();
    renewals_.abandon();
    joint_.abandon();
    servers_.abandon();
}

void zookeeper_engine::report(metrics_snapshot& to) const {
    to.engine = "zookeeper";
    to.refusals = refusals_;
    to.no_quorum = failures_;
    to.inflight = grants_.inside();
    to.queued = grants_.waiting();
    to.inflight_limit = grants_.limit();
    node_metrics itself{};
    itself.node = name();
    itself.state = servers_.serves() ? "ready" : servers_.may_soon_serve() ? "connecting" : "unavailable";
    if (last_error_ != errc{}) itself.last_error = make_error_code(last_error_);
    itself.last_error_text = last_text_.empty() ? "" : fmt::format("{} {}", name(), last_text_);
    itself.commands = servers_.commands();
    itself.timeouts = servers_.timeouts();
    itself.connects = servers_.connects();
    itself.reconnects = itself.connects > 0 ? itself.connects - 1 : 0;
    itself.disconnects = disconnects_;
    itself.round_trip = servers_.round_trip();
    to.nodes.push_back(std::move(itself));
}

} // namespace redlock::zookeeper
