#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

/// The addresses of the Redis nodes: the arguments of the program, else the environment variable
/// REDLOCK_NODES, where commas separate them.
inline std::vector<std::string> nodes_from(int argc, char** argv) {
    std::vector<std::string> nodes(argv + 1, argv + argc);
    const char* listed = std::getenv("REDLOCK_NODES");
    if (!nodes.empty() || !listed) return nodes;
    std::istringstream list(listed);
    for (std::string node; std::getline(list, node, ',');)
        nodes.push_back(node);
    return nodes;
}
