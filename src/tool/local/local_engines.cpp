#include "local/etcd_cluster.hpp"
#include "local/local_engine.hpp"
#include "local/mariadb_database.hpp"
#include "local/postgresql_database.hpp"
#include "local/redis_nodes.hpp"
#include "local/zookeeper_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace redlock::tool {
namespace {

bool can_be_run(const std::string& file) { return ::access(file.c_str(), X_OK) == 0; }

std::vector<std::string> folders_of_path() {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    std::vector<std::string> all;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        all.emplace_back(end == 0 ? "." : rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

} // namespace

const std::vector<local_engine>& local_engines() {
    static const std::vector<local_engine> all{redis_engine(),   valkey_engine(), postgresql_engine(),
                                               mariadb_engine(), etcd_engine(),   zookeeper_engine()};
    return all;
}

const local_engine& local_engine_named(const std::string& name) {
    return *std::ranges::find(local_engines(), name, &local_engine::name);
}

std::string program_of(const local_engine& e, const std::string& instead) {
    const std::string& program = instead.empty() ? e.program : instead;
    if (program.find('/') != std::string::npos) {
        if (can_be_run(program)) return std::filesystem::absolute(program);
        throw std::runtime_error(fmt::format("--server: {} cannot be run", program));
    }
    std::vector<std::string> folders = folders_of_path();
    folders.insert(folders.end(), e.folders.begin(), e.folders.end());
    for (const std::string& folder : folders)
        if (const std::string file = folder + '/' + program; can_be_run(file))
            return std::filesystem::absolute(file);
    if (!instead.empty()) throw std::runtime_error(fmt::format("--server: there is no program {}", program));
    throw std::runtime_error(
        fmt::format("there is no program {}, which --engine {} runs; on Debian it is in the "
                    "package {}",
                    program, e.name, e.package));
}

} // namespace redlock::tool
