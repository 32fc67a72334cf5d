#pragma once

#include "engines/zookeeper/wire/replies.hpp"
#include "support/file_descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// Another program that has a session at a server for a moment, and knows nothing of locks. Each call waits
/// for its answer, and throws when there is none.
class stranger {
public:
    explicit stranger(std::uint16_t port);
    stranger(const stranger&) = delete;
    stranger& operator=(const stranger&) = delete;

    /// That stays when the session ends.
    void create(const std::string& path, std::string_view data = {});
    void write(const std::string& path, std::string_view data);
    void remove(const std::string& path);
    /// Nothing where there is none.
    std::optional<zookeeper::data_reply> read(const std::string& path);
    std::vector<std::string> children(const std::string& path);

private:
    struct answer {
        zookeeper::fault failed;
        std::string body;
    };
    answer ask(const zookeeper::request_body& asks);
    void do_all(zookeeper::multi& m);
    std::string receive();
    void send(const std::string& bytes);

    const file_descriptor socket_;
    std::int32_t number_ = 0;
};

} // namespace redlock::test
