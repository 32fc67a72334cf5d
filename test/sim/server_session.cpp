#include "sim/server_session.hpp"

#include "engines/redis/quorum/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace redlock::sim {

void server_session::arrived(signal what, std::string bytes) {
    if (what == signal::bytes) input_.feed(bytes);
    owner_.host().post([self = shared_from_this(), what] {
        if (self->dropped_) return;
        if (what == signal::bytes)
            self->serve();
        else
            self->drop();
    });
}

void server_session::serve() {
    for (words command; !dropped_ && input_.next(command);)
        execute(command);
    owner_.flush();
}

void server_session::flush() {
    if (output_.empty() || dropped_) return;
    link_->send(to_client, std::exchange(output_, {}));
}

void server_session::drop() {
    if (std::exchange(dropped_, true)) return;
    const auto alive = shared_from_this();
    owner_.stop_listening_to(*this);
    link_->leave(to_client, !owner_.is_up());
}

void server_session::execute(const words& command) {
    owner_.observer_->executes(owner_, *link_, command);
    const std::string& name = command[0];
    if (owner_.of_cluster_)
        if (const auto v = owner_.of_cluster_(command)) return reply(*v);
    if (name == "HELLO") return hello(command);
    if (name == "CLIENT") return set_client(command);
    if (name == "INFO") return encode_text(output_, info());
    if (name == "PING") return reply({.is = value::kind::status, .words = "PONG"});
    if (name == "SUBSCRIBE" || name == "UNSUBSCRIBE") return subscribe(command, name == "SUBSCRIBE");
    if (name == "CONFIG") return configure(command);
    if (name == "SENTINEL" && owner_.sentinel_) return reply(owner_.sentinel_(command));
    if (const auto v = owner_.answer(command)) return reply(*v);
    call(command);
}

void server_session::call(const words& command) {
    const std::string& name = command[0];
    const bool remembers = std::exchange(remembers_next_, false) && tracks_;
    const bool is_set = name == "SET" && command.size() > 3;
    const std::string& version = owner_.build().version;
    if (is_set && std::ranges::find(command, "GET") != command.end() && version < "7" &&
        std::ranges::find(command, "NX") != command.end())
        return reply(value::error("ERR syntax error"));
    if ((name == "DELEX" && !(version.starts_with("8.4") && owner_.build().product == "redis")) ||
        (name == "DELIFEQ" && owner_.build().product != "valkey"))
        return reply(value::error("ERR unknown command"));
    if (is_set) owner_.observer_->key_asked_for(link_->client(), command[1]);
    if (name.starts_with("EVAL"))
        for (std::size_t i = 0, keys = std::stoul(command.at(2)); i < keys; ++i)
            if (const std::string& key = command.at(3 + i); !redis::claim::is_beside_a_lock(key))
                owner_.observer_->key_asked_for(link_->client(), key);
    const value v = owner_.call(command, *this);
    if (v.is == value::kind::error && v.words.starts_with("ERR unknown"))
        throw std::logic_error("the simulated server lacks " + name);
    if (remembers && keyspace::only_reads(name)) owner_.remembered_[command[1]].insert(this);
    reply(v);
}

void server_session::hello(const words& command) {
    if (!owner_.build().speaks_resp3 || command.size() < 2)
        return reply(value::error("ERR unknown command 'HELLO'"));
    protocol_ = 3;
    encode_size(output_, '%', 5);
    for (const auto& [name, content] : {std::pair<const char*, std::string>{"server", owner_.build().product},
                                        {"version", owner_.build().version},
                                        {"mode", "standalone"},
                                        {"role", "master"},
                                        {"id", "1"}}) {
        encode_text(output_, name);
        encode_text(output_, content);
    }
}

std::string server_session::info() const {
    // As Redis has it: of two times of day without their fractions.
    const auto uptime = std::chrono::floor<std::chrono::seconds>(owner_.host().clock().now()) -
                        std::chrono::floor<std::chrono::seconds>(owner_.started_);
    const bool is_valkey = owner_.build().product == "valkey";
    std::string text =
        fmt::format("# Server\r\nredis_version:{}\r\n", is_valkey ? "7.2.4" : owner_.build().version);
    if (is_valkey) text += fmt::format("server_name:valkey\r\nvalkey_version:{}\r\n", owner_.build().version);
    if (owner_.of_cluster_) text += fmt::format("master_replid2:{:040}\r\n", owner_.was_promoted_ ? 1 : 0);
    return text + fmt::format("redis_mode:standalone\r\nrun_id:{}\r\nuptime_in_seconds:{}\r\n"
                              "# Replication\r\nrole:master\r\nmaster_replid:{}\r\n# "
                              "Memory\r\nmaxmemory_policy:noeviction\r\n",
                              owner_.run_id_, std::max<std::int64_t>(0, uptime.count()),
                              owner_.replication_id_);
}

void server_session::set_client(const words& command) {
    if (command.at(1) == "TRACKING") {
        if (protocol_ != 3) return reply(value::error("ERR Client tracking can be enabled with RESP3 only"));
        tracks_ = true;
    } else if (command[1] == "CACHING") {
        if (!tracks_) return reply(value::error("ERR CLIENT CACHING without tracking"));
        remembers_next_ = true;
    }
    reply(value::ok());
}

void server_session::subscribe(const words& command, bool begin) {
    const std::string& channel = command.at(1);
    if (begin && !owner_.build().lets_hear && channel.starts_with("redlock:"))
        return reply(value::error("NOPERM this user has no permissions to access one of the channels"));
    if (begin)
        channels_.insert(channel);
    else
        channels_.erase(channel);
    encode_size(output_, protocol_ == 3 ? '>' : '*', 3);
    encode_text(output_, begin ? "subscribe" : "unsubscribe");
    encode_text(output_, channel);
    reply(value::integer(static_cast<std::int64_t>(channels_.size())));
}

void server_session::configure(const words& command) {
    std::string& flags = owner_.build_.flags;
    if (command.at(1) == "GET")
        return reply(
            value::array({value::text(command.at(2)),
                          value::text(command[2] == "notify-keyspace-events" ? flags : "noeviction")}));
    flags = command.at(3);
    reply(value::ok());
}

void server_session::publish(const std::string& channel, const std::string& message) {
    encode_size(output_, protocol_ == 3 ? '>' : '*', 3);
    encode_text(output_, "message");
    encode_text(output_, channel);
    encode_text(output_, message);
}

void server_session::invalidate(const std::string& key) {
    encode_size(output_, '>', 2);
    encode_text(output_, "invalidate");
    encode_size(output_, '*', 1);
    encode_text(output_, key);
}

} // namespace redlock::sim
