#include "local/local_server.hpp"

#include <filesystem>
#include <stdexcept>

namespace redlock::tool {
namespace {

// More losses of a port in a row than this have another cause.
constexpr int most_launches = 5;

} // namespace

void local_server::launch() {
    ++launches_;
    process_.reset();
    port_ = free_port();
    std::filesystem::remove(folder_ + "/log");
    process_.emplace(prepare(port_));
}

bool local_server::ready() {
    if (!process_) launch();
    if (answers()) return true;
    if (!process_->ended()) return false;
    const std::string words = last_words(folder_);
    const bool late = words.find("Address already in use") != std::string::npos;
    if (!late || launches_ == most_launches) throw std::runtime_error("a server does not start: " + words);
    launch();
    return false;
}

} // namespace redlock::tool
