#include "nodes/node_list.hpp"

#include <cstddef>
#include <string_view>

namespace redlock::tool {

namespace {

/// Of a node by itself there are no more.
bool may_have_several_hosts(std::string_view address) {
    for (const std::string_view scheme : {"redis://", "rediss://", "unix://", "memory://"})
        if (address.starts_with(scheme)) return false;
    return address.find("://") != address.npos;
}

/// In the address of a Redis it is a password.
bool may_have_user_alone(std::string_view address) {
    return address.find("://") != address.npos && !address.starts_with("redis") &&
           !address.starts_with("unix");
}

} // namespace

std::vector<std::string> split_nodes(const std::string& text) {
    constexpr const char* separators = ", \t\n";
    std::vector<std::string> nodes;
    for (auto begin = text.find_first_not_of(separators); begin != std::string::npos;) {
        const auto end = text.find_first_of(separators, begin);
        const std::string piece = text.substr(begin, end - begin);
        // Behind a comma it may be one more Sentinel of the same group, one more server of a cluster or
        // database.
        const bool goes_on = begin > 0 && text[begin - 1] == ',' && piece.find("://") == std::string::npos;
        if (goes_on && !nodes.empty() && may_have_several_hosts(nodes.back()))
            nodes.back() += ',' + piece;
        else
            nodes.push_back(piece);
        begin = text.find_first_not_of(separators, end);
    }
    return nodes;
}

bool may_have_password(const std::string& address) {
    const std::string_view all = address;
    const std::size_t at = all.rfind('@');
    const bool has_user = at != all.npos;
    if (!may_have_user_alone(all)) return has_user;
    const std::size_t scheme_end = all.find("://") + 3;
    const std::string_view user = has_user && at > scheme_end ? all.substr(scheme_end, at - scheme_end) : "";
    // Anything may stand behind a percent sign.
    const std::size_t question = all.find('?');
    const std::string_view query = question == all.npos ? "" : all.substr(question);
    return user.find_first_of(":%") != user.npos || query.find("password") != query.npos ||
           query.find('%') != query.npos;
}

} // namespace redlock::tool
