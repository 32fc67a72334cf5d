#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace redlock::tool {

/// Servers that are to be started.
struct local_plan {
    std::uint64_t count = 0;               ///< of nodes
    std::string server{};                  ///< the file of the program
    std::string folder{};                  ///< theirs alone; it exists, and is removed in the end
    std::vector<std::string> directives{}; ///< further lines for their configuration
};

/// Throw-away servers of one engine, children of this process from their construction to their destruction.
/// The system ends them when this process dies.
class local_servers {
public:
    local_servers() = default;
    local_servers(const local_servers&) = delete;
    local_servers& operator=(const local_servers&) = delete;
    virtual ~local_servers() = default;

    /// Whether they can be used; asked every few milliseconds until they can. Throws `std::runtime_error`
    /// with the last words of one that will not start.
    virtual bool ready() = 0;
    /// What REDLOCK_NODES is then.
    virtual std::string addresses() const = 0;
};

/// What `redlock local` can start. A new one is a file with a function that returns this, named in
/// `local_engines.cpp`.
struct local_engine {
    std::string name{};    ///< in --engine
    std::string program{}; ///< that is run, to be found in PATH or one of `folders`
    std::string package{}; ///< that has it on Debian
    std::string told{};    ///< what is started, a sentence of the manual
    std::uint64_t usual_count = 1;
    std::uint64_t most = 1; ///< nodes
    std::vector<std::string> folders{};
    /// Throws `std::system_error` and `std::runtime_error`.
    std::function<std::unique_ptr<local_servers>(const local_plan& plan)> start{};
};

/// All of them; the first is the default.
const std::vector<local_engine>& local_engines();

/// The engine of this name, which there is.
const local_engine& local_engine_named(const std::string& name);

/// The file of the engine's program, or of `instead` unless that is empty. Throws `std::runtime_error` with a
/// sentence that names the package when there is none that can be run.
std::string program_of(const local_engine& e, const std::string& instead);

} // namespace redlock::tool
