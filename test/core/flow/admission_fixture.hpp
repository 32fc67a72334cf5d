#pragma once

#include "core/flow/admission_window.hpp"

#include <chrono>
#include <deque>
#include <vector>

namespace redlock::test::admission {

using core::admission_waiter;
using core::admission_window;

struct contender final : admission_waiter {
    contender(int number, std::vector<int>& log) : number_(number), log_(log) {}
    void admitted() noexcept override { log_.push_back(number_); }

private:
    int number_;
    std::vector<int>& log_;
};

struct crowd {
    std::vector<int> admitted;
    std::deque<contender> all;

    explicit crowd(int size) {
        for (int i = 0; i < size; ++i)
            all.emplace_back(i, admitted);
    }
};

using namespace std::chrono_literals;
using core::instant;
constexpr auto time_of_round = 50ms;

inline instant at(std::chrono::milliseconds t) { return instant(t); }

/// A window that is open as far as it goes, and full.
struct full_window : crowd {
    admission_window window;

    explicit full_window(std::size_t most) : crowd(static_cast<int>(most)), window(most, time_of_round) {
        for (contender& one : all)
            window.enter(one);
        while (window.limit() < most)
            window.answered(at(-100ms), at(-99ms));
        window.leave(); // lets those in who had to wait
        window.enter(all.front());
        admitted.clear();
    }
};

} // namespace redlock::test::admission
