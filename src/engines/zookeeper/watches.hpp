#pragma once

#include <string>
#include <unordered_map>

namespace redlock::zookeeper {

/// Told once that the node which it watches has changed or gone, or may have.
class node_watch {
public:
    /// In a turn. It may watch anew here, and destroys nothing.
    virtual void watched_changed() noexcept = 0;

protected:
    ~node_watch() = default;
};

/// Who watches which node, by its path. Asking the servers to tell is left to them.
class watches {
public:
    void add(const std::string& path, node_watch& told) { all_.emplace(path, &told); }
    /// Of one that was told already there is nothing to remove.
    void remove(const std::string& path, const node_watch& told) noexcept;
    void changed(const std::string& path);
    /// The servers tell of nothing any more that they were asked for before.
    void are_gone();

private:
    using map = std::unordered_multimap<std::string, node_watch*>;
    map all_;
};

} // namespace redlock::zookeeper
