#include "sim/process.hpp"

#include "client/configuration.hpp"
#include "core/flow/command_time.hpp"
#include "engines/redis/node/cluster/cluster_node.hpp"
#include "sim/follower.hpp"
#include "sim/inspector.hpp"
#include "sim/slot_cluster.hpp"
#include "sim/user.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>
#include <fmt/format.h>

#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

namespace {

/// Hears what a client says of its leases.
class reporter final : public observer {
public:
    reporter(const surroundings& around, std::uint32_t client) noexcept : around_(around), client_(client) {}
    void granted(std::string_view key, std::chrono::nanoseconds) noexcept override {
        around_.inspector.granted(client_, key);
        tell(moment::is_granted, key);
    }
    void renewed(std::string_view key, std::chrono::nanoseconds) noexcept override {
        around_.inspector.renewed(client_, key);
    }
    void handed_over(std::string_view key, std::chrono::nanoseconds) noexcept override {
        around_.inspector.handed_over(client_, key);
        tell(moment::hands_over, key);
    }

private:
    // At one server after the other.
    void tell(moment m, std::string_view key) {
        const weather& w = around_.weather;
        if (w.strikes.probability <= 0) return;
        const auto server = static_cast<std::uint32_t>(told_++ % w.servers.size());
        around_.occasions.comes(
            {.at = m, .client = client_, .server = server, .key = w.config.key_prefix + std::string(key)});
    }

    const surroundings around_;
    const std::uint32_t client_;
    std::size_t told_ = 0;
};

config config_of(const surroundings& s, std::uint32_t client) {
    const weather& w = s.weather;
    config c = w.config;
    c.wakeup = w.wakeups[client % w.wakeups.size()];
    c.observer = std::make_shared<reporter>(s, client);
    if (client % 3 == 2) c.holder_label = fmt::format("host-{}: one | of three", client);
    for (std::uint32_t i = 0; i < w.servers.size(); ++i)
        c.nodes.push_back(w.clusters ? slot_cluster::uri(i)
                          : w.groups
                              ? fmt::format("redis+sentinel://s{},s{},s{}/g{}", group::sentinel_address(i, 0),
                                            group::sentinel_address(i, 1), group::sentinel_address(i, 2), i)
                              : fmt::format("redis://s{}", i));
    return c;
}

} // namespace

process::process(const surroundings& s, std::uint32_t client, std::uint64_t seed)
    : around_(s),
      client_(client),
      made_at_(s.events.now()),
      identity_(seed),
      dice_(seed),
      host_(std::make_shared<sim::host>(s.events)),
      fences_(s.events) {
    // No two machines were started together.
    const auto drift = static_cast<int>(s.weather.drift);
    host_->set_clock(time::instant(dice_.between(nanoseconds(1h), nanoseconds(1000h))),
                     dice_.between(-drift, drift));
    host_->set_time_of_day(dice_.between(-s.weather.time_of_day, s.weather.time_of_day));
    const config c = config_of(s, client_);
    turn::turn_listener& listener = *this;
    turn::inbox_waker& waker = *this;
    parts_ = std::make_shared<client_parts>(c, host_->clock(), dice_, s.tokens, listener, waker);
    lessee_ = {parts_, &parts_->lessee};
    alarm_.emplace(*host_);

    const auto home = std::make_shared<const residence>(residence{host_, &s.network, client_, &s.context});
    io_.emplace(home);
    const boost::asio::any_io_executor here = executor(home);
    desk().open(here, [this](const std::function<void()>& what) { turn(what); });
    const auto strand = boost::asio::make_strand(here);
    const auto addresses = lock::addresses_of(c);
    std::vector<node::node*> all;
    std::vector<node::node*> ears;
    for (std::uint32_t i = 0; i < addresses.size(); ++i) {
        node::node_settings settings = lock::node_settings_of(c, addresses);
        if (s.weather.groups) {
            groups_.push_back(std::make_shared<node::sentinel_group>(strand, addresses[i], settings, quorum(),
                                                                     host_->clock(), dice_.seed(), *io_));
            settings.group = groups_.back();
        }
        if (s.weather.clusters) {
            nodes_.push_back(std::make_unique<node::cluster_node>(strand, addresses[i], i, settings, quorum(),
                                                                  host_->clock(), dice_.seed(), *io_));
            ears.push_back(nodes_.back().get());
            continue;
        }
        nodes_.push_back(std::make_unique<node::redis_node>(strand, addresses[i], i, settings, quorum(),
                                                            host_->clock(), dice_.seed(), *io_));
        settings.only_listens = true;
        settings.restart_guard = {};
        ears_.push_back(std::make_unique<node::redis_node>(
            strand, addresses[i], i, settings, quorum().ear_listener(), host_->clock(), dice_.seed(), *io_));
        ears.push_back(ears_.back().get());
    }
    for (const auto& n : nodes_)
        watched_nodes_.emplace_back(*n, fences_, s.weather.fences > 0);
    for (watched_node& n : watched_nodes_)
        all.push_back(&n);
    ear_started_.resize(ears_.size());
    ready_since_.resize(nodes_.size(), nanoseconds::max());
    quorum().set_nodes(all, ears, [this](std::uint32_t i) {
        if (ear_started_[i]) return;
        ear_started_[i] = true;
        ears_[i]->start();
    });
    // What is asked for before the first connection has its names in a cluster from the beginning.
    for (std::uint32_t i = 0; s.weather.clusters && i < nodes_.size(); ++i)
        quorum().session_of(i).reconnected();
    if (s.weather.groups || s.weather.clusters) {
        parts_->engine.before_all = [this] {
            for (const auto& g : groups_)
                g->look();
            for (const auto& n : nodes_)
                n->look();
        };
    }
    for (unsigned i = 0; i < s.weather.users; ++i)
        users_.push_back(std::make_unique<user>(*this));
    if (s.weather.has(lock_kind::lead)) follower_ = std::make_unique<follower>(*this, "l");
}

// In the order in which a client lets go of everything when its executor's context is destroyed.
process::~process() {
    host_->die();
    around_.checker.died(client_);
    quorum().lose_nodes();
    nodes_.clear();
    ears_.clear();
    parts_->engine.before_all = {};
    groups_.clear();
    users_.clear();
    follower_.reset();
    desk().abandon();
    lessee_->abandon();
    parts_->engine.abandon();
}

void process::start() {
    host_->post([this] {
        turn([&] {
            for (const auto& g : groups_)
                g->start();
            for (const auto& n : nodes_)
                n->start();
        });
    });
    for (const auto& u : users_)
        u->start();
    if (follower_) follower_->start();
}

void process::wind_down() {
    winds_down_ = true;
    for (const auto& u : users_)
        u->wind_down();
    if (follower_) follower_->wind_down();
}

void process::turn(const std::function<void()>& what) {
    turns().begin();
    what();
    turns().end(flushing_);
}

void process::turn_ended(std::optional<time::instant> next) noexcept {
    if (next && (!alarm_->is_set() || *next < alarm_->set_for())) alarm_->set(*next, [this] { ring(); });
    go_on_closing();
    if (flushing_) return quorum().flush();
    if (!quorum().has_unwritten()) return;
    // Either must do. A client that is alone puts it off where it served somebody, which is not seen here.
    const bool may_flush = !flush_requested_ && !quorum().is_busy() && !lessee_->holds_several();
    if (may_flush && std::exchange(puts_off_, !puts_off_)) return quorum().flush();
    if (std::exchange(flush_requested_, true)) return;
    host_->post([this] {
        flush_requested_ = false;
        flush_turn();
    });
}

void process::ring() {
    turn([] {});
}

void process::wake() noexcept {
    host_->post([this] { flush_turn(); });
}

void process::flush_turn() {
    flushing_ = true;
    turn([] {});
    flushing_ = false;
}

void process::close(std::function<void()> closed) {
    closed_ = std::move(closed);
    host_->post([this] {
        turn([&] {
            closing_ = true;
            lessee_->begin_closing();
            desk().begin_closing();
            if (follower_) follower_->client_closes();
        });
    });
}

void process::go_on_closing() {
    if (!closing_ || disconnecting_ || !lessee_->quiet() || !quorum().quiet()) return;
    disconnecting_ = true;
    connected_ = nodes_.size() + ears_.size() + groups_.size();
    const auto ended = [this] {
        if (--connected_ > 0) return;
        host_->post([this] {
            turn([] {});
            closed_();
        });
    };
    for (const auto* all : {&nodes_, &ears_})
        for (const auto& n : *all)
            n->stop(ended);
    for (const auto& g : groups_)
        g->stop(ended);
    alarm_->cancel();
    wake();
}

bool process::is_ready(std::uint32_t server) const noexcept {
    return nodes_[server]->state() == node::health::ready;
}

bool process::is_new() const noexcept {
    return around_.events.now() < made_at_ + 2 * core::first_connection_time;
}

void process::note_readiness() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
        if (!is_ready(i))
            ready_since_[i] = nanoseconds::max();
        else if (ready_since_[i] == nanoseconds::max())
            ready_since_[i] = around_.events.now();
}

bool process::is_attentive() const noexcept {
    return !host_->stopped() && around_.events.now() > host_->went_on_at() + 1ms;
}

bool process::is_resting() const noexcept {
    for (const auto& u : users_)
        if (!u->is_resting()) return false;
    if (follower_ && !follower_->is_resting()) return false;
    return parts_->desk.is_at_rest() && lessee_->quiet() && parts_->engine.quorum().quiet();
}

} // namespace redlock::sim
