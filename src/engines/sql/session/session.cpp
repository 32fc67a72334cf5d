#include "engines/sql/session/session.hpp"

#include "engines/sql/dialect.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace redlock::sql {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_wait{20};
constexpr milliseconds longest_wait{2'000};
// The server begins a process for it, and may ask for proof of a password that is made expensive.
constexpr milliseconds least_to_connect{1'000};

bool is_numeric(const std::string& host) {
    boost::system::error_code is_name;
    boost::asio::ip::make_address(host, is_name);
    return !is_name;
}

} // namespace

session::session(const strand& on, turn::turns& t, const dialect& to, const session_settings& s,
                 session_listener& told)
    : strand_(on),
      turns_(t),
      speaks_(to),
      to_(to.where()),
      settings_(s),
      told_(told),
      waits_(first_wait, longest_wait) {}

session::~session() { stop(); }

void session::start() {
    if (started_) return;
    started_ = true;
    begin_attempt();
}

void session::begin_attempt() {
    resting_ = false;
    turns_.timers().arm(*this,
                        turns_.now() + std::max<core::nanoseconds>(settings_.patience, least_to_connect));
    const address::place& at = to_.places[place_];
    if (at.is_path() || is_numeric(at.host)) return connect(at, at.host);
    resolve(at);
}

void session::resolve(const address::place& at) {
    const auto found = [this, at, alive = std::weak_ptr<bool>(alive_)](
                           const boost::system::error_code& ec, const network::name_lookups::addresses& all) {
        const auto still = alive.lock();
        if (!still || ec == boost::asio::error::operation_aborted) return;
        turn::turns& turns = turns_;
        turns.begin();
        resolving_.reset();
        if (ec)
            lose(errc::node_unavailable, fmt::format("cannot be reached: {}: {}", at.host, ec.message()));
        else
            connect(at, all[attempt_++ % all.size()].to_string());
        turns.end();
    };
    resolving_ = network::name_lookups::of(*strand_).look_up(at.host, *strand_, found);
}

void session::connect(const address::place& at, const std::string& numeric) {
    login with{.at = at, .numeric = numeric, .client_name = settings_.client_name};
    try {
        if (settings_.log_in_as) with.who = settings_.log_in_as(to_.name);
    } catch (const std::exception&) {
        return lose(errc::authentication_failed, "was not connected to, for config::credentials threw");
    }
    link_listener& told = *this;
    link_ = speaks_.make_link(*strand_, turns_, told);
    link_->connect(with);
}

void session::connected() {
    connected_ = true;
    ++connects_;
    disarm();
    told_.connected();
}

void session::is_ready() noexcept {
    serving_ = true;
    failed_ = false;
    waits_.reset();
}

void session::refuse(errc why, std::string text) { lose(why, text); }

void session::send(const statements& all) noexcept {
    if (is_connected()) link_->send(all);
}

void session::expect_answer() {
    if (is_connected() && !armed()) turns_.timers().arm(*this, turns_.now() + settings_.patience);
}

void session::answered(std::vector<answer>&& all) {
    disarm();
    told_.answered(std::move(all));
}

void session::broken(std::string_view why, bool refused_login) {
    const bool hides = to_.reveals_secret(why) || (settings_.log_in_as && refused_login);
    const std::string words = hides ? std::string("its words are withheld") : std::string(why);
    if (refused_login) return lose(errc::authentication_failed, "refused the user or the password: " + words);
    lose(errc::node_unavailable,
         fmt::format("{}: {}", connected_ ? "ended the connection" : "cannot be reached", words));
}

void session::expired(time::instant) noexcept {
    if (resting_) return begin_attempt();
    const milliseconds limit = std::chrono::duration_cast<milliseconds>(
        connected_ ? settings_.patience : std::max<core::nanoseconds>(settings_.patience, least_to_connect));
    lose(errc::node_timeout,
         fmt::format("{} within {} ms", connected_ ? "did not answer" : "was not connected", limit.count()));
}

// The next place at once, unless all were tried: a standby may have taken over.
void session::lose(errc why, const std::string& text) {
    drop();
    failed_ = true;
    place_ = (place_ + 1) % to_.places.size();
    resting_ = true;
    turns_.timers().arm(*this, turns_.now() + (place_ == 0 ? waits_.next(turns_.random()) : first_wait));
    told_.lost(why, text);
}

void session::drop() noexcept {
    disarm();
    connected_ = serving_ = false;
    if (resolving_) network::name_lookups::cancel(*std::exchange(resolving_, nullptr));
    if (link_) std::exchange(link_, nullptr)->close();
}

void session::stop() noexcept {
    started_ = false;
    drop();
    alive_.reset();
    strand_.reset();
}

void session::leave() noexcept {
    if (link_) std::exchange(link_, nullptr)->leave();
    connected_ = serving_ = false;
    alive_.reset();
}

} // namespace redlock::sql
