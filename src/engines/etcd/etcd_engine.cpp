#include "engines/etcd/etcd_engine.hpp"

#include "core/validity.hpp"
#include "engines/etcd/contest/contest.hpp"
#include "engines/etcd/downgrade.hpp"
#include "engines/etcd/messages/cluster.hpp"
#include "engines/etcd/proclamation.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace redlock::etcd {

namespace {

// How long a client that closes waits for a cluster that is away, to give keys back, in answers.
constexpr int patience_at_the_end = 4;

std::string phrase(errc why) {
    switch (why) {
    case errc::node_timeout:
        return "did not answer in time";
    case errc::node_unavailable:
        return "is not connected";
    case errc::permission_denied:
        return "forbids a request that the lock needs";
    default:
        return fmt::format("did not do it: {}", make_error_code(why).message());
    }
}

} // namespace

etcd_engine::etcd_engine(const strand& on, settings s, turn::turns& t)
    : strand_(on),
      settings_(std::move(s)),
      name_(settings_.cluster.name()),
      names_(settings_.cluster.prefix),
      turns_(t),
      tries_(core::client_name(core::draw(*settings_.entropy)),
             [this] { return core::draw(*settings_.entropy); }),
      grants_(settings_.max_inflight, settings_.line.patience),
      releases_(settings_.max_inflight, settings_.line.patience),
      line_(on, t, settings_.line, static_cast<line_listener&>(*this)),
      joint_(line_),
      watches_(t, line_),
      keeper_(t, line_, *settings_.entropy, names_.beginning_of({}),
              [this](const server_lease& lost) { lease_lost(lost); }) {}

etcd_engine::~etcd_engine() {
    disconnect();
    abandon();
}

seam::claim_pointer etcd_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool) {
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), prefix, std::move(key));
}

stand etcd_engine::new_stand(const claim& c) {
    stand s{.key = {}, .queue = names_.queue(c.full_key.view()), .behind = {}, .grave = {}};
    s.name = tries_.take(s.queue);
    s.behind = key_names::behind(s.queue);
    s.grave = names_.grave(c.full_key.view(), s.name->text());
    s.reads = c.reads();
    s.key = (s.reads ? key_names::readers(s.queue) : s.queue) + std::string(s.name->text());
    return s;
}

stand etcd_engine::new_downgraded_stand(const claim& c) {
    stand s = new_stand(c);
    s.key = key_names::downgraded(s.queue) + std::string(s.name->text());
    return s;
}

std::string etcd_engine::value_of(std::uint64_t fencing_token) const {
    const std::string token = fencing_token == 0 ? std::string() : std::to_string(fencing_token);
    return token + ':' + settings_.holder_label;
}

seam::contest& etcd_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(*this, std::move(w), listener);
}

seam::errand_pointer<> etcd_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                          std::uint64_t, seam::renewal_listener& listener) {
    auto* const asked = new renewal(*this, own(std::move(held)), life, renewal::kind::renew, listener);
    asked->start();
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> etcd_engine::keep(seam::claim_pointer held, std::chrono::milliseconds life,
                                         std::uint64_t, seam::renewal_listener& listener) {
    auto* const asked = new renewal(*this, own(std::move(held)), life, renewal::kind::keep, listener);
    asked->start();
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> etcd_engine::downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                              std::chrono::milliseconds life,
                                              seam::renewal_listener& listener) {
    auto* const asked =
        new etcd::downgrade(*this, own(std::move(held)), own(std::move(reading)), life, listener);
    asked->start();
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> etcd_engine::advance_token(const seam::claim_pointer& held,
                                                  seam::token_listener& listener) {
    auto* const asked = new token_advance(*this, own(held), listener);
    asked->start();
    return seam::errand_pointer<>(asked);
}

seam::errand_pointer<> etcd_engine::proclaim(const seam::claim_pointer& held, std::uint64_t term,
                                             std::string value, seam::proclamation_listener& listener) {
    auto* const asked = new proclamation(*this, own(held), listener);
    asked->start(term, value);
    return seam::errand_pointer<>(asked);
}

void etcd_engine::holding_is_gone(const claim& held) {
    if (losses_) losses_->keys_lost([&](const seam::claim& c) { return &c == &held; });
}

void etcd_engine::lease_lost(const server_lease& lost) {
    const auto is_lost = [&](const seam::claim& c) { return own(c).held && own(c).held->may_be_under(lost); };
    if (losses_) losses_->keys_lost(is_lost);
}

void etcd_engine::note_failure(const failure& why) {
    last_error_ = why.why;
    last_text_ = why.text;
}

std::unique_ptr<cluster_failure> etcd_engine::failure_of(errc why, const std::string& text) const {
    return std::make_unique<cluster_failure>(sentence_of(why, text));
}

std::string etcd_engine::sentence_of(errc why, const std::string& text) const {
    const std::string& known = !text.empty() ? text : why == last_error_ ? last_text_ : text;
    return fmt::format("{} {}", line_.endpoint(), known.empty() ? phrase(why) : known);
}

void etcd_engine::tell(bool ready, const std::string& why) noexcept {
    if (std::exchange(told_ready_, ready) == ready) return;
    if (observer()) observer()->node_changed(name(), ready, why);
}

// What is held may have been lost meanwhile: those who hold it ask.
void etcd_engine::line_serves() {
    tell(true, name() + " is ready");
    ask_version();
    watches_.line_serves();
    keeper_.line_serves();
    if (std::exchange(was_connected_, true) && losses_) losses_->keys_in_doubt();
}

void etcd_engine::ask_version() {
    line_.submit(*new inquiry(methods::status, {}, [this](const result& r) { take_version(r); }));
}

void etcd_engine::take_version(const result& status) {
    messages::reply<messages::status_result> read;
    if (status.failed || messages::read(status.response, read) != messages::fault::none) return;
    version_ = std::move(read.content.version);
    keeper_.saw_term(read.header.raft_term);
}

void etcd_engine::line_lost(errc why, const std::string& text) {
    disconnects_ += told_ready_.value_or(false);
    last_error_ = why;
    last_text_ = text;
    keeper_.line_lost();
    tell(false, fmt::format("{}: {} {}", name(), line_.endpoint(), text));
}

// What may be written waits for the flush, and for others that come until then.
bool etcd_engine::send_what_waits(bool) noexcept {
    if (closing_ || !line_.serves()) joint_.submit();
    keeper_.send_what_is_due();
    if (closing_ && !gives_up()) keeper_.end_unused();
    line_.send_what_waits();
    return false;
}

void etcd_engine::begin_closing() noexcept {
    closing_ = true;
    gives_up_at_ = core::saturating_add(turns_.now(), patience_at_the_end * settings_.line.patience);
    turns_.timers().arm(*this, gives_up_at_);
}

void etcd_engine::flush() noexcept {
    joint_.submit();
    line_.flush();
}

bool etcd_engine::quiet() const noexcept {
    if (!contests_.empty()) return false;
    return gives_up() ||
           (!line_.is_busy() && joint_.is_empty() && held_back_.empty() && (left_ || !keeper_.has_any()));
}

void etcd_engine::stop(std::function<void()> ended) {
    disconnect_line();
    boost::asio::post(*strand_, std::move(ended));
}

void etcd_engine::disconnect_line() noexcept {
    disarm();
    watches_.stop();
    keeper_.stop();
    line_.stop();
}

void etcd_engine::leave() noexcept {
    left_ = true;
    keeper_.leave();
    line_.leave();
}

void etcd_engine::fail_all() {
    while (!held_back_.empty())
        held_back_.front().begin_at_once();
    joint_.submit();
    line_.fail_all(errc::node_unavailable);
}

void etcd_engine::disconnect() noexcept {
    disconnect_line();
    strand_.reset();
}

void etcd_engine::abandon() noexcept {
    while (!contests_.empty())
        delete &contests_.front();
    while (!held_back_.empty())
        delete &held_back_.front();
    joint_.abandon();
    line_.abandon();
    while (!forsaken_.empty())
        delete &forsaken_.front();
}

void etcd_engine::report(metrics_snapshot& to) const {
    to.engine = "etcd";
    to.refusals = refusals_;
    to.no_quorum = failures_;
    to.inflight = grants_.inside();
    to.queued = grants_.waiting();
    to.inflight_limit = grants_.limit();
    node_metrics itself{};
    itself.node = name();
    itself.state = line_.serves() ? "ready" : line_.may_soon_serve() ? "connecting" : "unavailable";
    if (last_error_ != errc{}) itself.last_error = make_error_code(last_error_);
    itself.last_error_text = last_text_.empty() ? "" : fmt::format("{} {}", line_.endpoint(), last_text_);
    itself.commands = line_.calls();
    itself.timeouts = line_.timeouts();
    itself.connects = line_.connects();
    itself.reconnects = itself.connects > 0 ? itself.connects - 1 : 0;
    itself.disconnects = disconnects_;
    itself.round_trip = line_.round_trip();
    to.nodes.push_back(std::move(itself));
}

} // namespace redlock::etcd
