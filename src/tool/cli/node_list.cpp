#include "cli/node_list.hpp"

namespace redlock::tool {

namespace {

bool has_several_hosts(const std::string& address) {
    return address.find("+sentinel://") != std::string::npos ||
           address.find("+cluster://") != std::string::npos;
}

} // namespace

std::vector<std::string> split_nodes(const std::string& text) {
    constexpr const char* separators = ", \t\n";
    std::vector<std::string> nodes;
    for (auto begin = text.find_first_not_of(separators); begin != std::string::npos;) {
        const auto end = text.find_first_of(separators, begin);
        const std::string piece = text.substr(begin, end - begin);
        // Behind a comma it may be one more Sentinel of the same group, or one more server of a cluster.
        const bool goes_on = begin > 0 && text[begin - 1] == ',' && piece.find("://") == std::string::npos;
        if (goes_on && !nodes.empty() && has_several_hosts(nodes.back()))
            nodes.back() += ',' + piece;
        else
            nodes.push_back(piece);
        begin = text.find_first_not_of(separators, end);
    }
    return nodes;
}

} // namespace redlock::tool
