// What the members of a cluster are asked.

#include "support/etcd_server.hpp"
#include "support/eventually.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace redlock::test {
namespace {

std::string text_in(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

etcd_server::said etcd_server::ask(const std::string& endpoints,
                                   const std::vector<std::string>& words) const {
    std::vector<std::string> command{REDLOCK_ETCDCTL, "--endpoints=" + endpoints, "--command-timeout=5s",
                                     "--dial-timeout=2s"};
    if (options_.tls) {
        command.push_back("--cacert=" + options_.tls->authority);
        if (options_.tls->asks_clients)
            command.insert(command.end(),
                           {"--cert=" + options_.tls->certificate, "--key=" + options_.tls->key});
    }
    if (has_logins_) command.push_back("--user=root:" + options_.root_password);
    command.insert(command.end(), words.begin(), words.end());
    const std::string output = folder_.path() / "output";
    const std::string error = folder_.path() / "error";
    std::filesystem::remove(output);
    std::filesystem::remove(error);
    const file_descriptor to_output = open_log(output);
    const file_descriptor to_error = open_log(error);
    process client(command, {.output = to_output.get(), .error = to_error.get()});
    const bool succeeded = client.wait(patience) == 0;
    return {succeeded, text_in(succeeded ? output : error)};
}

std::string etcd_server::control(const std::vector<std::string>& words) {
    std::vector<std::string> endpoints;
    for (const auto& each : members_)
        if (each->can_be_asked()) endpoints.push_back(fmt::format("{}://127.0.0.1:{}", scheme(), each->port));
    said answer = ask(fmt::format("{}", fmt::join(endpoints, ",")), words);
    if (!answer.succeeded)
        throw std::runtime_error(fmt::format("etcdctl {}: {}", words.empty() ? "" : words[0], answer.text));
    return std::move(answer.text);
}

std::optional<std::string> etcd_server::get(const std::string& key) {
    // A line of the key, and one of the value.
    std::string lines = control({"get", "--", key});
    if (lines.empty()) return std::nullopt;
    lines.erase(0, key.size() + 1);
    if (lines.ends_with('\n')) lines.pop_back();
    return lines;
}

std::vector<std::string> etcd_server::keys(const std::string& prefix) {
    std::istringstream lines(control({"get", "--prefix", "--keys-only", "--", prefix}));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) all.push_back(line);
    return all;
}

std::optional<std::string> etcd_server::status(std::size_t of, const std::string& field) const {
    const std::string endpoint = fmt::format("{}://127.0.0.1:{}", scheme(), members_[of]->port);
    const said answer = ask(endpoint, {"endpoint", "status", "--write-out=fields"});
    const std::string label = "\"" + field + "\" : ";
    const auto found = answer.text.find(label);
    if (!answer.succeeded || found == answer.text.npos) return std::nullopt;
    const auto begin = found + label.size();
    return answer.text.substr(begin, answer.text.find('\n', begin) - begin);
}

std::string etcd_server::version() {
    const auto quoted = status(0, "Version");
    if (!quoted || quoted->size() < 2) fail("a member does not say its version");
    return quoted->substr(1, quoted->size() - 2);
}

std::optional<std::size_t> etcd_server::named_leader(std::size_t least,
                                                     std::optional<std::size_t> except) const {
    std::map<std::string, std::size_t> votes;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (!members_[i]->can_be_asked() || i == except) continue;
        if (const auto leader = status(i, "Leader")) ++votes[*leader];
        if (const auto id = status(i, "MemberID")) numbers[*id] = i;
    }
    for (const auto& [id, count] : votes)
        if (const auto found = numbers.find(id); count >= least && found != numbers.end())
            return found->second;
    return std::nullopt;
}

std::size_t etcd_server::await_leader(std::optional<std::size_t> except) {
    std::optional<std::size_t> found;
    if (!eventually([&] { return (found = named_leader(size() / 2 + 1, except)).has_value(); }))
        fail("there is no leader");
    return *found;
}

std::size_t etcd_server::leader() { return await_leader(std::nullopt); }

std::size_t etcd_server::leader_beside(std::size_t number) { return await_leader(number); }

void etcd_server::await_ready() {
    const auto can_be_asked = [](const auto& m) { return m->can_be_asked(); };
    const auto all = static_cast<std::size_t>(std::ranges::count_if(members_, can_be_asked));
    if (!eventually([&] { return one_ended() || named_leader(all, std::nullopt); }) || one_ended())
        fail("members do not come together");
}

} // namespace redlock::test
