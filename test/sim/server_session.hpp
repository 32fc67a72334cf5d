#pragma once

#include "sim/server.hpp"
#include "support/command_parser.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace redlock::sim {

/// A connection, as the server sees it.
class server_session final : public endpoint, public std::enable_shared_from_this<server_session> {
public:
    server_session(server& owner, std::shared_ptr<connection> link) : owner_(owner), link_(std::move(link)) {}

    const connection& link() const noexcept { return *link_; }
    bool listens_to(const std::string& channel) const { return channels_.contains(channel); }
    /// Not counting the channel of the client itself.
    bool is_interested() const noexcept {
        return std::ranges::any_of(channels_,
                                   [](const std::string& c) { return !c.starts_with("redlock:"); });
    }

    void publish(const std::string& channel, const std::string& message);
    void invalidate(const std::string& key);
    void flush();
    /// The server closes it.
    void drop();

private:
    void arrived(signal what, std::string bytes) override;
    void serve();
    void execute(const words& command);
    void hello(const words& command);
    void set_client(const words& command);
    void subscribe(const words& command, bool begin);
    void configure(const words& command);
    void reply(const value& v) { encode(output_, v, protocol_); }
    void call(const words& command);
    std::string info() const;

    server& owner_;
    std::shared_ptr<connection> link_;
    test::command_parser input_;
    std::string output_;
    unsigned protocol_ = 2;
    std::set<std::string> channels_;
    bool tracks_ = false;
    bool remembers_next_ = false;
    bool dropped_ = false;
};

} // namespace redlock::sim
