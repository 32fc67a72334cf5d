#include "say.hpp"
#include "show.hpp"

#include <sstream>

namespace demo {

using namespace std::chrono_literals;

show::show(const lengths& acts) : acts_(acts), counter_(folder_.path() / "counter") {
    std::string ports;
    for (const auto& s : servers_)
        ports += fmt::format(" {}", s.port());
    say("Five redis-server processes are up, on ports{} of 127.0.0.1.", ports);
}

std::vector<std::string> show::role(std::vector<std::string> words) const {
    const auto nodes = servers_.uris();
    words.insert(words.end(), nodes.begin(), nodes.end());
    return words;
}

void show::hear_holder(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "left") words >> left_;
    if (what != "stopped") return;
    std::int64_t left = 0;
    words >> stopped_at_ >> left;
    figures_.validity_at_stop = std::chrono::milliseconds(left);
}

void show::lose_majority() {
    say("One process takes a lock for 4 s at a time, renews it and works.");
    role_process holder(loop_.context(), role({"--hold"}),
                        [this](const std::string& line) { hear_holder(line); });
    loop_.await("a lock on the nodes that are left", 20s, [this] { return left_ >= 0; });
    const auto watch = [this](auto duration) {
        loop_.run_for(duration);
        say("  {:>5} ms of validity left", left_);
    };
    for (auto held = 0ms; held < acts_.holding; held += 500ms)
        watch(500ms);

    say("A majority is stopped: nodes 2, 3 and 4 answer no more.");
    const auto lost = nanoseconds_now();
    for (std::size_t node : {1u, 2u, 3u})
        servers_[node].stop();
    for (auto waited = 0ms; stopped_at_ == 0 && waited < 10s; waited += 500ms)
        watch(500ms);
    if (stopped_at_ == 0) throw std::runtime_error("the worker was not told to stop");
    figures_.majority_loss_to_stop = std::chrono::nanoseconds(stopped_at_ - lost);
    say("The worker was told to stop while its lease was valid for another {} ms.",
        figures_.validity_at_stop.count());
}

} // namespace demo
