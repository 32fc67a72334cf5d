#pragma once

#include "support/loop_thread.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// What the members of an etcd cluster say to each other goes through here, so that any of them can be cut
/// off from the others, both ways. Each member tells others the port that it has here. Who has made a
/// connection its first request says. Runs in a thread of its own; all members may be called from any thread,
/// and each returns when the change is in force.
class member_links {
public:
    /// The ports that members listen on for each other.
    explicit member_links(const std::vector<std::uint16_t>& members);
    member_links(const member_links&) = delete;
    member_links& operator=(const member_links&) = delete;
    ~member_links();

    /// The one that others are told.
    std::uint16_t port(std::size_t member) const { return gates_[member]->port; }
    /// What that member calls itself in requests. Before it can be cut off.
    void name(std::size_t member, std::string id);

    /// From now on every byte from and to this member is swallowed.
    void cut_off(std::size_t member);
    /// All are together again. Connections that lost bytes are broken.
    void join();

private:
    using tcp = boost::asio::ip::tcp;

    struct gate {
        gate(boost::asio::io_context& context, std::uint16_t member);

        tcp::endpoint target;
        tcp::acceptor acceptor;
        std::uint16_t port;
        std::string id;
        bool is_cut_off = false;
    };
    struct link {
        link(tcp::socket from, const gate& behind);
        void close();

        tcp::socket client, server;
        const gate* to;
        std::string sender; ///< empty where it does not say
        bool lost_bytes = false;
    };
    using shared_link = std::shared_ptr<link>;

    void run_in_thread(const std::function<void()>& action);
    bool is_cut(const link& one) const;
    boost::asio::awaitable<void> accept(gate& at);
    boost::asio::awaitable<void> carry(shared_link one);
    boost::asio::awaitable<void> pump(shared_link one, tcp::socket& from, tcp::socket& to);

    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::vector<std::unique_ptr<gate>> gates_;
    std::vector<std::weak_ptr<link>> links_;
    std::optional<loop_thread> thread_;
};

} // namespace redlock::test
