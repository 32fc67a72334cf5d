#include "contention/scenarios.hpp"

namespace bench {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct of_hold {
    microseconds hold;
    bool quick;
    std::vector<scenario>& all;

    template <class Change>
    void add(const char* with, Change change) const {
        scenario s{.name = kind_name,
                   .processes = 8,
                   .callers = 4,
                   .hold = hold,
                   .with = with,
                   .duration = milliseconds(quick ? 1000 : 4000)};
        change(s);
        all.push_back(s);
    }
};

void add_reading(const of_hold& some) {
    some.add("exclusive", [](scenario&) {});
    some.add("all write", [](scenario& s) { s.reads = 0; });
    some.add("half read", [](scenario& s) { s.reads = 0.5; });
    some.add("95 % read", [](scenario& s) { s.reads = 0.95; });
    some.add("all read", [](scenario& s) { s.reads = 1; });
}

void add_others(const of_hold& some) {
    some.add("4 permits", [](scenario& s) { s.permits = 4; });
    some.add("16 permits", [](scenario& s) { s.permits = 16; });
    some.add("entered again", [](scenario& s) { s.enters_again = true; });
    some.add("kept", [](scenario& s) { s.keep = std::chrono::duration_cast<milliseconds>(2 * s.hold); });
    some.add("leading", [](scenario& s) { s.leads = true; });
    some.add("1 of 8 keys", [](scenario& s) { s.keys = 8; });
    some.add("2 of 8 keys", [](scenario& s) {
        s.keys = 8;
        s.together = 2;
    });
}

} // namespace

std::vector<scenario> kind_scenarios(bool quick) {
    std::vector<scenario> all;
    for (const int hold : {100, 1000, 10'000, 50'000}) {
        const of_hold some{microseconds(hold), quick, all};
        add_reading(some);
        if (hold == 1000 || hold == 10'000) add_others(some);
    }
    return all;
}

} // namespace bench
