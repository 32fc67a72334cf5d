#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace redlock::tool {

/// Whom a server runs as.
struct unix_user {
    uid_t user;
    gid_t group;
};

/// A program to be run beside this one.
struct server_command {
    std::vector<std::string> words{}; ///< the first is the file of the program
    std::string folder{};             ///< it runs in there, and what it says goes to `log` in there
    std::optional<unix_user> owner{}; ///< nothing for the user of this process
    int end_signal =
        SIGKILL; ///< that ends it at once, without anything left behind; also when this process dies
};

/// That program: a child of this process, in a process group of its own, so that nobody at a terminal
/// interrupts it.
class server_process {
public:
    /// Throws `std::system_error`. That a program cannot be run stands in the log.
    explicit server_process(const server_command& run);
    server_process(server_process&& other) noexcept;
    server_process& operator=(server_process&&) = delete;
    /// Ends it, within seconds at the worst.
    ~server_process();

    /// Its status as of waitpid(2), once it has ended.
    std::optional<int> ended();

private:
    [[noreturn]] static void become(const server_command& run, int parent);

    int pid_ = -1;
    int end_signal_;
    std::optional<int> status_;
};

/// The end of what was written to the log in this folder, in one line.
std::string last_words(const std::string& folder);

/// A port of 127.0.0.1 that nobody listens on at this moment. Throws `std::system_error`.
std::uint16_t free_port();

} // namespace redlock::tool
