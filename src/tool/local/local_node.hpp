#pragma once

#include "local/local_nodes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace redlock::tool {

/// One throw-away redis-server on a free port of 127.0.0.1: a child of this process, without persistence,
/// with everything a node of locks should have.
class local_node {
public:
    /// Starts it in a folder of its own in `plan.folder`. Throws `std::system_error`.
    local_node(const local_plan& plan, std::size_t index);
    local_node(local_node&& other) noexcept;
    local_node& operator=(local_node&&) = delete;
    ~local_node();

    std::string address() const;

    /// Whether it answers. Starts it once more on another port when somebody was faster at the first. Throws
    /// `std::runtime_error` with its last words when it ended.
    bool ready();

private:
    void launch();
    std::string configuration() const;
    std::string last_words() const;
    bool answers() const;
    [[noreturn]] void become(int parent) const;

    std::string server_;
    std::string folder_;
    std::vector<std::string> directives_;
    std::uint16_t port_ = 0;
    int pid_ = -1;
    int launches_ = 0;
};

} // namespace redlock::tool
