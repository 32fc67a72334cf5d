#include "engines/sql/table_engine.hpp"

#include "core/validity.hpp"
#include "engines/sql/contest.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace redlock::sql {

namespace {

// How long a client that closes waits for a database that is away, to give keys back, in answers.
constexpr int patience_at_the_end = 4;

std::string phrase(errc why) {
    switch (why) {
    case errc::permission_denied:
        return "forbids a statement that the lock needs";
    case errc::out_of_memory:
        return "has no room left";
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

table_engine::table_engine(const strand& on, settings s, turn::turns& t)
    : strand_(on),
      settings_(std::move(s)),
      address_(dialect().where()),
      turns_(t),
      client_(core::draw(*settings_.entropy)),
      table_(on, t, dialect(), settings_.session, settings_.restart_guard, settings_.holder_label,
             static_cast<table_listener&>(*this)),
      wakes_(dialect().make_wakes(on, t, settings_.session, table_)) {}

table_engine::~table_engine() {
    disconnect();
    abandon();
}

core::lock_token table_engine::draw_token() { return {client_, 0, core::draw(*settings_.entropy)}; }

seam::claim_pointer table_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), prefix, std::move(key),
                                             draw_token());
}

claim_pointer table_engine::claim_anew(const claim& before) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), before, draw_token());
}

seam::contest& table_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(*this, std::move(w), listener);
}

seam::errand_pointer<> table_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                           std::uint64_t, seam::renewal_listener& listener) {
    auto* const asked = new renewal(*this, request::kind::renew, own(std::move(held)), life, listener);
    table_.submit(*asked);
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> table_engine::advance_token(const seam::claim_pointer& held,
                                                   seam::token_listener& listener) {
    auto* const asked = new token_advance(*this, request::kind::advance, own(held), {}, listener);
    table_.submit(*asked);
    return seam::errand_pointer<>(asked);
}

void table_engine::release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                           bool lost) {
    table_.submit(*new sql::release(*this, own(std::move(held)), keys_end, lost, std::move(told)));
}

void table_engine::give_back(claim_pointer c, core::instant keys_end, unsigned tries) {
    table_.submit(*new sql::release(*this, std::move(c), keys_end, false, {}, tries));
}

std::unique_ptr<database_failure> table_engine::failure_of(errc why) const {
    return std::make_unique<database_failure>(sentence_of(why));
}

std::string table_engine::sentence_of(errc why) const {
    if (why == errc::node_quarantined) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(table_.guard().closed_until() - turns_.now());
        return fmt::format("{} grants nothing for another {} ms, for it may have forgotten locks when it was "
                           "promoted or started (config::restart_guard)",
                           name(), left.count());
    }
    const bool known = why == last_error_ && !last_text_.empty();
    return fmt::format("{} {}", name(), known ? last_text_ : phrase(why));
}

void table_engine::tell(bool ready, const std::string& why) noexcept {
    if (std::exchange(told_ready_, ready) == ready) return;
    if (observer()) observer()->node_changed(name(), ready, why);
}

void table_engine::table_serves(const server& found, bool in_doubt) {
    wakes_->table_serves(found);
    const bool closed = table_.guard().is_closed(turns_.now());
    if (closed) last_error_ = errc::node_quarantined;
    tell(!closed, closed ? name() + " is quarantined: it may have forgotten locks" : name() + " is ready");
    if (in_doubt && losses_) losses_->keys_in_doubt();
}

void table_engine::table_lost(errc why, const std::string& text) {
    disconnects_ += told_ready_.value_or(false);
    last_error_ = why;
    last_text_ = text;
    wakes_->table_lost();
    tell(false, fmt::format("{} {}", name(), text));
    // Whatever it had ended with the session, or ends before there is another.
    if (locks_are_sessions() && losses_) losses_->keys_lost([](const seam::claim&) { return true; });
}

void table_engine::release_in_doubt(claim_pointer of, core::instant keys_end) {
    if (pays_debts(keys_end)) give_back(std::move(of), keys_end);
}

void table_engine::after_routines() noexcept {
    table_.after_routines();
    wakes_->after_routines();
}

void table_engine::begin_closing() noexcept {
    gives_up_at_ = core::saturating_add(turns_.now(), patience_at_the_end * settings_.session.patience);
    turns_.timers().arm(*this, gives_up_at_);
}

bool table_engine::quiet() const noexcept {
    if (!contests_.empty()) return false;
    return turns_.now() >= gives_up_at_ || !table_.is_busy();
}

void table_engine::stop(std::function<void()> ended) {
    disarm();
    table_.stop();
    wakes_->stop();
    boost::asio::post(*strand_, std::move(ended));
}

void table_engine::leave() noexcept {
    left_ = true;
    table_.leave();
    wakes_->leave();
}

void table_engine::fail_all() {
    table_.fail_all(errc::node_unavailable);
    wakes_->stop();
}

void table_engine::disconnect() noexcept {
    table_.stop();
    wakes_->stop();
    strand_.reset();
}

void table_engine::abandon() noexcept {
    while (!contests_.empty())
        delete &contests_.front();
    table_.abandon();
}

void table_engine::report(metrics_snapshot& to) const {
    to.engine = dialect().engine_name();
    to.refusals = refusals_;
    to.no_quorum = failures_;
    node_metrics itself{};
    itself.node = name();
    const bool closed = table_.guard().is_closed(turns_.now());
    itself.state = table_.serves()                  ? closed ? "quarantined" : "ready"
                   : table_.line().may_soon_serve() ? "connecting"
                                                    : "unavailable";
    if (last_error_ != errc{}) itself.last_error = make_error_code(last_error_);
    itself.last_error_text = last_text_.empty() ? "" : fmt::format("{} {}", name(), last_text_);
    itself.quarantined = table_.serves() && closed;
    itself.quarantines = table_.quarantines();
    itself.commands = table_.commands();
    itself.timeouts = table_.timeouts();
    itself.connects = table_.line().connects();
    itself.reconnects = itself.connects > 0 ? itself.connects - 1 : 0;
    itself.disconnects = disconnects_;
    itself.round_trip = table_.round_trip();
    to.nodes.push_back(std::move(itself));
}

} // namespace redlock::sql
