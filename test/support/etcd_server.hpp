#pragma once

#include "support/file_descriptor.hpp"
#include "support/member_links.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// What members show to clients, and want to see: files in PEM.
struct etcd_tls {
    std::string certificate; ///< for 127.0.0.1
    std::string key;
    std::string authority;
    bool asks_clients = false; ///< for a certificate of that authority; the members' own is one, too
};

/// What a cluster is started with.
struct etcd_options {
    std::size_t members = 1;
    std::optional<etcd_tls> tls{};
    /// With one, nobody gets in without user and password, and `root` has this one.
    std::string root_password{};
    /// Further ones of each etcd: `--auth-token-ttl=1`, `--quota-backend-bytes=…`.
    std::vector<std::string> arguments{};
};

/// A real etcd cluster, of what `REDLOCK_TEST_ETCD` in the environment names or else of etcd, on free ports
/// of 127.0.0.1, with its data in a temporary folder that is in memory where the system has room there. Its
/// processes are children of the thread that constructed it (see `process`). Not thread-safe.
class etcd_server {
public:
    /// Starts the members and waits until they have a leader. Throws when that does not come about, with
    /// the end of a log.
    explicit etcd_server(etcd_options options = {});
    etcd_server(const etcd_server&) = delete;
    etcd_server& operator=(const etcd_server&) = delete;
    ~etcd_server();

    std::size_t size() const noexcept { return members_.size(); }
    /// For clients.
    std::uint16_t port(std::size_t number = 0) const { return members_[number]->port; }
    /// `etcd://127.0.0.1:port,…` of all members, or `etcds://…`.
    std::string uri() const;
    /// With user and password as they shall stand in the address.
    std::string uri(std::string_view user, std::string_view password) const;
    /// Over these ports of 127.0.0.1, such as those of fault proxies; a login ends in @.
    std::string uri_over(const std::vector<std::uint16_t>& ports, const std::string& login = {}) const;
    std::string version();

    /// Who leads, as a majority says that can be asked. Waits until there is such a one.
    std::size_t leader();
    /// Likewise, of members other than that one.
    std::size_t leader_beside(std::size_t member);

    void stop(std::size_t member);
    void resume(std::size_t member);
    /// SIGKILL. The port is free and refuses connections afterwards.
    void kill(std::size_t member);
    /// Behind that, on the same port, with its data. Does not wait: `await_ready`.
    void start(std::size_t member);
    /// Until every member that is not killed, stopped or cut off knows the same leader.
    void await_ready();

    /// Bytes between this member and others are swallowed, while clients go on reaching it.
    void cut_off(std::size_t member);
    /// All members are together again.
    void join();

    /// Who may do everything with keys that begin with `prefix`, and nothing else. Of a cluster with
    /// `root_password`.
    void add_user(const std::string& name, const std::string& password, const std::string& prefix);

    /// What etcdctl with these words says on success, as `root` where there is a password. It asks members
    /// that are not stopped, killed or cut off. Throws with what it complains of.
    std::string control(const std::vector<std::string>& words);
    std::optional<std::string> get(const std::string& key);
    void put(const std::string& key, const std::string& value) { control({"put", "--", key, value}); }
    /// With their prefix, in order.
    std::vector<std::string> keys(const std::string& prefix);

private:
    struct member {
        std::uint16_t port = 0;
        std::uint16_t own_peer_port = 0;
        std::string id{}; ///< in decimal digits
        bool is_stopped = false;
        bool is_cut_off = false;
        std::optional<process> running{};

        bool can_be_asked() const { return running && !is_stopped && !is_cut_off; }
    };
    struct said {
        bool succeeded;
        std::string text;
    };

    void launch();
    void name_members();
    void enable_logins();
    bool one_ended();
    std::uint16_t peer_port(std::size_t of) const;
    std::vector<std::string> arguments_of(std::size_t of) const;
    std::string folder_of(std::size_t of) const { return folder_.path() / std::to_string(of); }
    std::string scheme() const { return options_.tls ? "https" : "http"; }
    said ask(const std::string& endpoints, const std::vector<std::string>& words) const;
    std::optional<std::string> status(std::size_t of, const std::string& field) const;
    /// Its number, when `least` of those who can be asked, `except` aside, name the same.
    std::optional<std::size_t> named_leader(std::size_t least, std::optional<std::size_t> except) const;
    std::size_t await_leader(std::optional<std::size_t> except);
    file_descriptor open_log(const std::string& path) const;
    [[noreturn]] void fail(const std::string& what) const;

    const etcd_options options_;
    const temporary_folder folder_;
    std::unique_ptr<member_links> links_; ///< of several members
    std::vector<std::unique_ptr<member>> members_;
    bool has_logins_ = false;
};

} // namespace redlock::test
