#include "sim/server.hpp"

#include "sim/server_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::sim {

using std::chrono::duration_cast;

server::server(event_queue& events, std::uint32_t index, const server_build& build, server_observer& observer,
               std::uint64_t seed)
    : events_(events),
      index_(index),
      build_(build),
      observer_(&observer),
      dice_(seed),
      host_(std::make_shared<sim::host>(events)),
      keys_(*this, dice_.seed()),
      scripts_(keys_, *this),
      reaper_(*host_) {
    keys_.set_lag(build.expiry_lag);
    start();
    started_ -= std::chrono::hours(1);
}

void server::start() {
    up_ = true;
    run_id_ = fmt::format("{:016x}{:016x}{:08x}", dice_.seed(), dice_.seed(), index_);
    replication_id_ = fmt::format("{}-{}", run_id_, index_);
    started_ = host_->clock().now();
    plan_reaping();
}

void server::take_over(contents keys) {
    keys_.replace(std::move(keys));
    plan_reaping();
}

void server::retire() {
    static struct final_observer final : server_observer {
        void key_changed(const server&, std::string_view, const std::string&, const connection*) override {}
        void executes(const server&, const connection&, const words&) override {}
        void key_asked_for(std::uint32_t, const std::string&) override {}
    } nobody;
    observer_ = &nobody;
}

void server::crash() {
    if (!std::exchange(up_, false)) return;
    host_->go_on();
    for (const auto& s : std::exchange(sessions_, {}))
        s->drop();
    remembered_.clear();
    reaper_.cancel();
}

void server::restart(bool with_data) {
    if (up_) return;
    scripts_.forget();
    if (!with_data) {
        const auto lost = keys();
        keys_.clear();
        for (const std::string& key : lost)
            observer_->key_changed(*this, "lost", key, nullptr);
        lost_data_at_ = events_.now();
    }
    start();
}

std::int64_t server::milliseconds() const {
    return duration_cast<std::chrono::milliseconds>(host_->clock().now().time_since_epoch()).count();
}

void server::set_time() { keys_.set_time(milliseconds()); }

const keyspace::entry* server::look(const std::string& key) const {
    const_cast<server*>(this)->set_time();
    return keys_.look(key);
}

nanoseconds server::life_left(const std::string& key) const {
    const keyspace::entry* const e = look(key);
    if (!e) return nanoseconds(0);
    return e->expires ? std::chrono::milliseconds(*e->expires - milliseconds()) : nanoseconds::max();
}

std::vector<std::string> server::keys() const {
    std::vector<std::string> present;
    for (const auto& [key, e] : keys_.all())
        if (look(key)) present.push_back(key);
    return present;
}

std::size_t server::interests_of(std::uint32_t client) const {
    return static_cast<std::size_t>(std::ranges::count_if(sessions_, [&](const auto& s) {
        return s->link().client() == client && !s->link().left_by_client() && s->is_interested();
    }));
}

void server::connect(const std::shared_ptr<connection>& c) {
    if (!up_) return c->accept(nullptr);
    sessions_.push_back(std::make_shared<server_session>(*this, c));
    c->accept(sessions_.back().get());
}

void server::stop_listening_to(server_session& s) {
    for (auto& [key, who] : remembered_)
        who.erase(&s);
    std::erase_if(sessions_, [&](const auto& one) { return one.get() == &s; });
}

value server::call(const words& command, server_session& from) {
    set_time();
    serving_ = &from;
    value v = command[0].starts_with("EVAL") ? scripts_.call(command) : keys_.call(command);
    serving_ = nullptr;
    plan_reaping();
    return v;
}

void server::tamper(const words& command) {
    set_time();
    keys_.call(command);
    plan_reaping();
    flush();
}

void server::flush() {
    for (const auto& s : std::vector(sessions_))
        s->flush();
}

void server::plan_reaping() {
    const auto next = keys_.next_reaping();
    if (!next) return reaper_.cancel();
    const time::instant at{std::chrono::milliseconds(*next)};
    if (reaper_.is_set() && reaper_.set_for() == at) return;
    reaper_.set(at, [this] {
        set_time();
        keys_.reap();
        plan_reaping();
        flush();
    });
}

char server::class_of(std::string_view event) noexcept {
    if (event == "set") return '$';
    if (event == "expired") return 'x';
    // The commands on sorted sets and on hashes are all called so, and nothing else is.
    return event.starts_with('z') ? 'z' : event.starts_with('h') ? 'h' : 'g';
}

bool server::tells(char event_class) const {
    const auto has = [this](char flag) { return build_.flags.find(flag) != std::string::npos; };
    return has('K') && (has(event_class) || has('A'));
}

void server::key_changed(std::string_view event, const std::string& key) {
    observer_->key_changed(*this, event, key, serving_ ? &serving_->link() : nullptr);
    if (const auto found = remembered_.find(key); found != remembered_.end()) {
        const auto told = std::move(found->second);
        remembered_.erase(found);
        for (const auto& s : sessions_)
            if (told.contains(s.get())) s->invalidate(key);
    }
    if (tells(class_of(event))) publish("__keyspace@0__:" + key, std::string(event));
}

void server::life_changed(const std::string& key) {
    if (tells(class_of("expire"))) publish("__keyspace@0__:" + key, "expire");
}

std::int64_t server::listeners_of(const std::string& channel) const {
    return std::ranges::count_if(sessions_, [&](const auto& s) { return s->listens_to(channel); });
}

std::int64_t server::publish(const std::string& channel, const std::string& message) {
    for (const auto& s : sessions_)
        if (s->listens_to(channel)) s->publish(channel, message);
    return listeners_of(channel);
}

std::optional<value> server::answer(const words& command) {
    const std::string name = upper(command.at(0));
    if (name == "ZADD" && command.size() > 2 && upper(command[2]) == "GT" && build_.version < "6.2")
        return value::error("ERR syntax error");
    if (name == "PUBLISH" && !build_.lets_publish)
        return value::error("NOPERM this user has no permissions to run the 'publish' command");
    if (name == "PUBLISH") return value::integer(publish(command.at(1), command.at(2)));
    if (name == "TIME") {
        const auto since = host_->clock().now().time_since_epoch();
        const auto seconds = duration_cast<std::chrono::seconds>(since);
        const auto rest = duration_cast<std::chrono::microseconds>(since - seconds);
        return value::array(
            {value::text(std::to_string(seconds.count())), value::text(std::to_string(rest.count()))});
    }
    if (name != "PUBSUB" || upper(command.at(1)) != "NUMSUB") return std::nullopt;
    std::vector<value> counts;
    for (std::size_t i = 2; i < command.size(); ++i) {
        counts.push_back(value::text(command[i]));
        counts.push_back(value::integer(listeners_of(command[i])));
    }
    return value::array(std::move(counts));
}

} // namespace redlock::sim
