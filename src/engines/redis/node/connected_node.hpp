#pragma once

#include "engines/redis/node/node.hpp"

#include <functional>

namespace redlock::node {

/// A node that has connections of its own. All members are called on its strand, or while nothing runs on it.
class connected_node : public node {
public:
    /// Begins to connect. Requests may be submitted before. To be called once.
    virtual void start() = 0;

    /// Closes the connections for good. Before it returns, every request not yet answered or timed out has
    /// failed with `closed`; after it, no receiver and no listener is called and `submit` answers `closed`.
    /// May be called from inside a callback, and again. `ended`, if not empty, is called on the strand, never
    /// from inside `stop`, once no asynchronous operation of the node is outstanding; that takes next to no
    /// time. It may outlive the node.
    virtual void stop(std::function<void()> ended) = 0;
    void stop() { stop({}); }

    /// In a forked child: closes its descriptors of the connections that the parent goes on with, and nothing
    /// else, wherever this is called from. `stop` follows, before anything else happens to the node.
    virtual void leave() noexcept = 0;

    /// Before anything is sent in a turn: what the node believes of others may not count any more.
    virtual void look() {}
};

} // namespace redlock::node
