#pragma once

#include "support/file_descriptor.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <thread>
#include <vector>

namespace redlock::test {

/// A DNS server over UDP at `name_server_address`, which knows the names that the test tells it, in lower
/// case. Thread-safe.
class name_server {
public:
    name_server();
    name_server(const name_server&) = delete;
    name_server& operator=(const name_server&) = delete;
    /// What was held back is refused.
    ~name_server();

    /// From now on the name has these addresses, IPv4 and IPv6, for no time at all. None: it does not exist,
    /// as others that it was told nothing of.
    void tell(const std::string& name, std::vector<std::string> addresses);
    /// It answers that it cannot say for the moment (SERVFAIL).
    void refuse(const std::string& name);
    /// It answers nothing, until it is told what.
    void hold(const std::string& name);

    /// How many questions came for the name: the system asks one for IPv4 and one for IPv6.
    unsigned asked(const std::string& name);

private:
    enum class manner { answers, refuses, holds };
    struct entry {
        manner how = manner::answers;
        std::vector<std::string> addresses{};
        unsigned asked = 0;
    };
    struct question {
        std::string name{};
        std::string message{}; ///< no longer than the question in it
        ::sockaddr_in from{};
    };

    void run();
    void take(std::string_view message, const ::sockaddr_in& from);
    void set(const std::string& name, manner how, std::vector<std::string> addresses);
    void answer(const question& asked, const entry& known);

    std::mutex mutex_;
    std::map<std::string, entry> names_;
    std::vector<question> held_;
    file_descriptor socket_;
    std::thread thread_;
};

} // namespace redlock::test
