#pragma once

#include "contention/scenario.hpp"
#include "contention/shared_log.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

/// The processes of one scenario, killed with this object. What is said of one by its number throws
/// `std::runtime_error` when it has ended.
class crew {
public:
    crew() = default;
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;
    ~crew();

    /// Forks the next one, which contends and ends. The log must outlive this object.
    void add(const scenario& what, const std::vector<std::string>& nodes, shared_log& log);

    /// Whether all have come to their end. Throws `std::runtime_error` when one has failed.
    bool ended();

    /// Returns when it has stopped.
    void stop(std::size_t process);
    void resume(std::size_t process);
    /// Returns when it has ended, which is no failure then.
    void kill(std::size_t process);

private:
    pid_t running(std::size_t process) const;

    std::vector<pid_t> pids_; ///< by process; 0 once it has ended
};

} // namespace bench
