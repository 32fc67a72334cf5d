#include "process/command_process.hpp"

#include <chrono>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>

namespace redlock::tool {
namespace {

// Only threads have lists of children, and this program has but one thread here.
std::vector<int> children_but_for(int spared, int command) {
    const std::string self = std::to_string(::getpid());
    std::ifstream list("/proc/" + self + "/task/" + self + "/children");
    std::vector<int> found;
    for (int pid = 0; list >> pid;)
        if (pid != spared && pid != command) found.push_back(pid);
    return found;
}

} // namespace

void reap_descendants(int spared, int command) {
    for (const int pid : children_but_for(spared, command))
        ::waitpid(pid, nullptr, WNOHANG);
}

void kill_descendants(int spared, int command) {
    using namespace std::chrono_literals;
    // The children of those that are killed come to this process and are found next time.
    for (int round = 0; round < 200; ++round) {
        const auto found = children_but_for(spared, command);
        if (found.empty()) return;
        for (const int pid : found)
            ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(5ms);
        reap_descendants(spared, command);
    }
}

} // namespace redlock::tool
