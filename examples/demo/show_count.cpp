#include "say.hpp"
#include "show.hpp"

#include <algorithm>
#include <sstream>

namespace demo {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t processes = 3;
constexpr std::size_t coroutines = 16;

} // namespace

void show::count() {
    start_counting();
    watch_counting(acts_.before_failure);
    kill_node();
    watch_counting(acts_.after_failure);
    finish_counting();
}

void show::start_counting() {
    say("{} processes with {} coroutines each increment the number in {},", processes, coroutines,
        counter_.path().string());
    say("by reading it and writing it back, under one lock.");
    counter_.write(0);
    for (std::size_t i = 0; i < processes; ++i)
        incrementers_.push_back(std::make_unique<role_process>(
            loop_.context(), role({"--increment", counter_.path(), std::to_string(coroutines)}),
            [this](const std::string& line) { hear_incrementer(line); }));
}

void show::hear_incrementer(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "grant") {
        std::int64_t at = 0;
        words >> at;
        ++figures_.grants;
        last_grant_ = std::max(last_grant_, at);
    } else if (what == "refused") {
        if (figures_.refusals++ == 0)
            say("  an attempt failed, as it may while nodes fail: {}", line.substr(8));
    } else if (what == "total") {
        std::uint64_t total = 0;
        words >> total;
        totals_ += total;
        ++finished_;
    }
}

void show::watch_counting(std::chrono::seconds duration) {
    for (auto end = elapsed_ + duration; elapsed_ < end;) {
        const auto before = figures_.grants;
        loop_.run_for(1s);
        elapsed_ += 1s;
        say("  {:>3} s {:>8} grants, {:>6} in the last second", elapsed_.count(), figures_.grants,
            figures_.grants - before);
    }
}

void show::kill_node() {
    say("Node 1, on port {}, is killed.", servers_[0].port());
    servers_[0].kill();
    const auto failed = nanoseconds_now();
    loop_.await("a grant after the failure of one node", 20s, [&] { return last_grant_ > failed; });
    figures_.node_failure_to_grant = std::chrono::nanoseconds(last_grant_ - failed);
}

void show::finish_counting() {
    for (auto& p : incrementers_)
        p->finish();
    loop_.await("the processes to finish", 20s, [this] {
        return std::all_of(incrementers_.begin(), incrementers_.end(), [](auto& p) { return p->ended(); });
    });
    if (finished_ != processes || totals_ != figures_.grants)
        throw std::runtime_error(
            fmt::format("{} of {} processes came to a good end, {} grants were told of and {} seen",
                        finished_, processes, totals_, figures_.grants));
    figures_.counted = counter_.read();
    say("The processes have finished: {} grants, and the file says {}.", figures_.grants, figures_.counted);
    incrementers_.clear();
}

} // namespace demo
