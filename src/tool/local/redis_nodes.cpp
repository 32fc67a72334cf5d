#include "local/redis_nodes.hpp"

#include "local/local_server.hpp"
#include "process/descriptor.hpp"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace redlock::tool {
namespace {

/// A name of any bytes as one word of a configuration.
std::string configuration_word(std::string_view name) {
    std::string word = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            word += std::string("\\") + c;
        else if (c < ' ')
            word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            word += c;
    }
    return word + '"';
}

class redis_node final : public local_server {
public:
    redis_node(const local_plan& plan, const std::string& folder)
        : local_server(folder), server_(plan.server), directives_(plan.directives) {}

private:
    server_command prepare(std::uint16_t port) override;
    bool answers() const override;

    const std::string server_;
    const std::vector<std::string> directives_;
};

server_command redis_node::prepare(std::uint16_t port) {
    std::ofstream file(folder() + "/redis.conf");
    file << fmt::format("bind 127.0.0.1\nport {}\nunixsocket {}\ndir {}\nlogfile {}\n", port,
                        configuration_word(folder() + "/s"), configuration_word(folder()),
                        configuration_word(folder() + "/log"))
         << "save \"\"\nappendonly no\nmaxmemory-policy noeviction\nnotify-keyspace-events Kgxe\n";
    for (const auto& line : directives_)
        file << line << '\n';
    return {.words = {server_, folder() + "/redis.conf"}, .folder = folder()};
}

// Over the Unix socket: whoever else may sit on that port cannot answer here.
bool redis_node::answers() const {
    const descriptor socket(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder() + "/s";
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error(folder() + " is too long a name");
    path.copy(address.sun_path, path.size());
    const timeval limit{1, 0};
    ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    constexpr std::string_view question = "PING\r\n";
    if (::send(socket.number(), question.data(), question.size(), MSG_NOSIGNAL) < 0) return false;
    std::array<char, 64> answer{};
    const auto size = ::recv(socket.number(), answer.data(), answer.size(), 0);
    if (size <= 0) return false;
    const std::string_view words(answer.data(), static_cast<std::size_t>(size));
    return words.starts_with('+') || words.starts_with("-NOAUTH");
}

class redis_nodes final : public local_servers {
public:
    explicit redis_nodes(const local_plan& plan) {
        for (std::size_t i = 0; i < plan.count; ++i) {
            const std::string folder = fmt::format("{}/{}", plan.folder, i);
            std::filesystem::create_directory(folder);
            nodes_.emplace_back(plan, folder);
        }
    }

    bool ready() override {
        bool all = true;
        for (redis_node& node : nodes_)
            all = node.ready() && all;
        return all;
    }
    std::string addresses() const override {
        std::string all;
        for (const redis_node& node : nodes_)
            all += fmt::format("{}redis://127.0.0.1:{}", all.empty() ? "" : ",", node.port());
        return all;
    }

private:
    std::deque<redis_node> nodes_;
};

local_engine engine_of(std::string name) {
    const std::string program = name + "-server";
    return {.name = std::move(name),
            .program = program,
            .package = program,
            .told = program +
                    " processes, without persistence, without eviction, and with the keyspace events "
                    "that waiting needs",
            .usual_count = 5,
            .most = 63,
            .start = [](const local_plan& plan) { return std::make_unique<redis_nodes>(plan); }};
}

} // namespace

local_engine redis_engine() { return engine_of("redis"); }

local_engine valkey_engine() { return engine_of("valkey"); }

} // namespace redlock::tool
