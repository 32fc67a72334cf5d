#pragma once

#include "interruption.hpp"
#include "load.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace bench::engines {

/// As many connections as ordinary programs have; further callers would wait for them.
inline constexpr std::size_t most_connections = 64;

/// A closed loop as such a program has it: a thread for each caller, which has a connection. A `Caller` is
/// made from its number, and its `cycle` throws what went wrong.
template <class Caller, class Make>
sample run_threads(const load& plan, Make make) {
    std::deque<Caller> callers;
    for (std::size_t i = 0; i < std::min(plan.in_flight, most_connections); ++i)
        make(callers, i);
    recorder record(plan);
    std::mutex recording;
    std::atomic<bool> over = false;
    const auto go_round = [&](Caller& c) {
        auto began = steady::now();
        while (!over) {
            std::string why;
            try {
                c.cycle();
            } catch (const std::exception& e) {
                why = e.what();
            }
            const auto ended = steady::now();
            const std::lock_guard alone(recording);
            if (!(why.empty() ? record.add(began, ended) : record.fail(ended, why))) over = true;
            began = ended;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (Caller& c : callers)
            threads.emplace_back([&] { go_round(c); });
    }
    throw_if_interrupted();
    return record.result();
}

} // namespace bench::engines
