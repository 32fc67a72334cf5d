#pragma once

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace redlock::test {

/// The processes whose parent this one is.
inline std::vector<int> children_of(int pid) {
    std::ifstream list("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
    std::vector<int> pids;
    for (int child = 0; list >> child;)
        pids.push_back(child);
    return pids;
}

/// R, S, T, Z and so on, see proc(5); X when there is no such process.
inline char state_of(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto name_end = text.rfind(") ");
    return name_end == std::string::npos ? 'X' : text[name_end + 2];
}

/// Whether it runs no more, though its parent may not know that yet.
inline bool has_ended(int pid) {
    const char state = state_of(pid);
    return state == 'X' || state == 'Z';
}

inline bool all_gone(const std::vector<int>& pids) {
    for (const int pid : pids)
        if (::kill(pid, 0) == 0) return false;
    return true;
}

} // namespace redlock::test
