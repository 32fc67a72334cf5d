#pragma once

#include "commands.hpp"
#include "load.hpp"
#include "wire_node.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace bench {

/// The wire floor: what a cycle of lock and unlock costs when nothing is done but to write the command bytes
/// to all nodes and to count the replies. A cycle writes its SET to all nodes, writes its release to all
/// nodes when a majority has answered the SET, and ends when a majority has answered the release. Commands
/// are encoded beforehand, what one turn of the loop has to write goes out in one `send` for each node, and
/// nothing is timed, cancelled or checked beyond the first byte of a reply.
class floor {
public:
    /// Connects to the nodes and loads the release script. Throws like `wire_node`.
    floor(const std::vector<std::uint16_t>& ports, std::size_t callers);
    floor(const floor&) = delete;
    floor& operator=(const floor&) = delete;
    ~floor();

    /// Runs one closed loop to its end and waits for the last reply. At most as many callers as given above.
    sample run(const load& plan);

private:
    /// A command that was written to all nodes. All nodes get all commands in the same order, so one record
    /// serves all of them, and the n-th reply of a node belongs to the n-th command.
    struct command {
        std::uint32_t caller = 0;
        std::uint16_t votes = 0;
        bool release = false;
    };

    struct peer {
        wire_node wire;
        std::uint64_t answered = 0;
        bool blocked = false;
    };

    void turn();
    void call(std::uint32_t caller, steady::time_point now);
    void admit();
    void write(std::uint32_t caller, bool release);
    void flush(peer& to);
    void read(peer& from);
    void finish(std::uint32_t caller);
    void watch(const peer& p, std::uint32_t events, int operation);
    std::uint64_t outstanding() const;

    std::vector<peer> peers_;
    std::vector<caller_commands> commands_;
    std::vector<steady::time_point> began_;
    std::vector<command> log_;          ///< a ring: commands that not all nodes have answered yet
    std::deque<std::uint32_t> waiting_; ///< callers that wait for room in the window
    std::uint64_t written_ = 0;
    std::uint64_t finished_ = 0;
    std::size_t active_ = 0;
    std::size_t majority_ = 0;
    int epoll_ = -1;
    load plan_;
    recorder* record_ = nullptr;
    bool going_ = false;
};

} // namespace bench
