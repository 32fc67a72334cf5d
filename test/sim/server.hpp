#pragma once

#include "sim/connection.hpp"
#include "sim/host.hpp"
#include "sim/keyspace.hpp"
#include "sim/script_engine.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sim {

class server;
class server_session;

/// What kind of server it is.
struct server_build {
    std::string product = "redis";
    std::string version = "7.0.15";
    bool speaks_resp3 = true;
    std::string flags{};       ///< `notify-keyspace-events`
    nanoseconds expiry_lag{0}; ///< how late it may get round to deleting what has run out
    bool lets_publish = true;  ///< its user, and so the scripts of that
    bool lets_hear = true;     ///< of channels of the library
};

/// Told, with no delay, of all that happens to the keys of the servers.
class server_observer {
public:
    /// `by` is the connection over which the command came; null when there was none.
    virtual void key_changed(const server& at, std::string_view event, const std::string& key,
                             const connection* by) = 0;
    /// Before each command.
    virtual void executes(const server& at, const connection& from, const words& command) = 0;
    /// A client asked for a key, whatever came of it.
    virtual void key_asked_for(std::uint32_t client, const std::string& key) = 0;

protected:
    ~server_observer() = default;
};

/// One Redis server: its process, its keys, its connections. Executes one command after the other, each as
/// soon as it has arrived.
class server final : private keyspace_listener, private keyless_commands {
public:
    server(event_queue& events, std::uint32_t index, const server_build& build, server_observer& observer,
           std::uint64_t seed);

    std::uint32_t index() const noexcept { return index_; }
    sim::host& host() noexcept { return *host_; }
    const sim::host& host() const noexcept { return *host_; }
    const server_build& build() const noexcept { return build_; }

    bool is_up() const noexcept { return up_; }
    /// When it last came back without its keys; nothing if it never did.
    std::optional<nanoseconds> lost_data_at() const noexcept { return lost_data_at_; }
    void crash();
    void restart(bool with_data);

    /// Of a master and of those that were its replicas.
    using contents = std::map<std::string, keyspace::entry>;
    const contents& snapshot() const noexcept { return keys_.all(); }
    /// As a replica has it that was promoted.
    void take_over(contents keys);
    /// What happens here from now on is of no interest.
    void retire();
    /// It is a Sentinel, and gives these answers to SENTINEL.
    void be_sentinel(std::function<value(const words&)> answers) { sentinel_ = std::move(answers); }
    /// It is one of a cluster, and gives these answers instead of its own.
    void be_of_cluster(std::function<std::optional<value>(const words&)> answers, bool was_promoted) {
        of_cluster_ = std::move(answers);
        was_promoted_ = was_promoted;
    }
    void tell(const std::string& channel, const std::string& message) {
        publish(channel, message);
        flush();
    }

    /// A key as a command would find it now; null when there is none.
    const keyspace::entry* look(const std::string& key) const;
    /// How long a key that is there has by the clock of this server.
    nanoseconds life_left(const std::string& key) const;
    std::vector<std::string> keys() const;
    /// Over how many connections a client listens to, or has the server remember, something.
    std::size_t interests_of(std::uint32_t client) const;

    void connect(const std::shared_ptr<connection>& c);
    /// Somebody who is no client of the locks gives this command.
    void tamper(const words& command);

private:
    friend class server_session;

    void set_time();
    std::int64_t milliseconds() const;
    void start();
    void stop_listening_to(server_session& s);
    std::int64_t listeners_of(const std::string& channel) const;
    /// To so many sessions.
    std::int64_t publish(const std::string& channel, const std::string& message);
    std::optional<value> answer(const words& command) override;
    static char class_of(std::string_view event) noexcept;
    bool tells(char event_class) const;
    value call(const words& command, server_session& from);
    void flush();
    void plan_reaping();
    void key_changed(std::string_view event, const std::string& key) override;
    void life_changed(const std::string& key) override;

    event_queue& events_;
    const std::uint32_t index_;
    server_build build_;
    server_observer* observer_;
    std::function<value(const words&)> sentinel_;
    std::function<std::optional<value>(const words&)> of_cluster_;
    bool was_promoted_ = false; ///< in a cluster
    dice dice_;
    std::shared_ptr<sim::host> host_;
    keyspace keys_;
    script_engine scripts_;
    alarm reaper_;
    bool up_ = false;
    std::string run_id_;
    std::string replication_id_;
    time::instant started_{};
    std::optional<nanoseconds> lost_data_at_;
    std::vector<std::shared_ptr<server_session>> sessions_;
    std::map<std::string, std::set<server_session*>> remembered_; ///< keys that were read with tracking
    server_session* serving_ = nullptr;
};

} // namespace redlock::sim
