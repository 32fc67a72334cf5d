#pragma once

#include "check.hpp"
#include "comparison.hpp"
#include "engines/contestant.hpp"
#include "engines/crowd.hpp"
#include "engines/renewals.hpp"

#include <string>
#include <vector>

namespace bench::engines {

/// How much to measure.
struct extent {
    std::size_t runs = 3;
    std::chrono::milliseconds warm_up{200};
    std::chrono::milliseconds duration{1000};
    holding held{};
};

/// One load on the library, and the same on the usual clients, right behind it; each `extent::runs` times.
struct loaded {
    load plan{};
    std::vector<sample> library{};
    std::vector<std::vector<sample>> clients{}; ///< of each usual client

    /// Of the one to compare with; nothing where there is none.
    const std::vector<sample>& usual() const noexcept {
        static const std::vector<sample> none;
        return clients.empty() ? none : clients.front();
    }
};

/// What was measured of one engine.
struct findings {
    std::string name;
    std::vector<std::string> usual; ///< names of the usual clients
    bool batches = false;
    std::vector<loaded> loads{};     ///< 1, 64 and 1024 in flight
    std::vector<contended> pairs{};  ///< two clients that hand a key to and fro
    std::vector<contended> eights{}; ///< eight clients
    std::vector<renewed> held{};

    const loaded& at(std::size_t in_flight) const;
};

/// All contestants in turns, so that a drift of the machine weighs on all alike.
std::vector<findings> measure(const std::vector<contestant>& all, const extent& how_much);

/// The median of a figure.
template <class T>
double middle(const std::vector<T>& all, double T::*figure) {
    std::vector<double> values;
    for (const T& each : all)
        values.push_back(each.*figure);
    return median(std::move(values));
}

std::vector<check> checks_of(const std::vector<findings>& all, const extent& how_much);
std::string table(const std::vector<findings>& all, const extent& how_much);
std::string json(const std::vector<findings>& all, const extent& how_much);

} // namespace bench::engines
