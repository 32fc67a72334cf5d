#include "tool_fixture.hpp"

#include "support/process_table.hpp"

#include <csignal>
#include <sstream>
#include <stdexcept>

namespace redlock::test {
namespace {

std::string list_of(const std::vector<std::string>& uris) {
    std::string list;
    for (const auto& uri : uris)
        list += (list.empty() ? "" : ",") + uri;
    return list;
}

} // namespace

int partner_of(int pid) {
    for (const int child : children_of(pid)) {
        std::ifstream file("/proc/" + std::to_string(child) + "/comm");
        std::string name;
        if (std::getline(file, name) && name == "redlock-partner") return child;
    }
    throw std::runtime_error("redlock has no partner");
}

std::vector<int> numbers_in(const std::optional<std::string>& line) {
    std::istringstream words(line.value_or(""));
    std::vector<int> numbers;
    for (std::string word; words >> word;)
        if (word.find_first_not_of("0123456789") == std::string::npos) numbers.push_back(std::stoi(word));
    return numbers;
}

tool_fixture::tool_fixture() : named("REDLOCK_NODES", list_of(nodes.uris())) {
    // A runner in the background of a shell has these ignored, and so would all that it starts.
    for (const int number : {SIGINT, SIGQUIT, SIGHUP})
        std::signal(number, SIG_DFL);
    std::filesystem::create_directory(folder.path() / "redlock");
    std::ofstream(folder.path() / "redlock/config") << "node_timeout = 1s\n";
}

void tool_fixture::stop_majority() {
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].stop();
}

void tool_fixture::hold(const std::string& key) {
    for (auto& node : nodes)
        node.command({"SET", key, "somebody", "PX", "600000"});
}

} // namespace redlock::test
