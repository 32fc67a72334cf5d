#include "contention/scenarios.hpp"

namespace bench {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

} // namespace

std::vector<scenario> kind_scenarios(bool quick) {
    std::vector<scenario> all;
    for (const int hold : {1000, 10'000}) {
        const auto add = [&](const char* with, auto change) {
            scenario s{.name = kind_name,
                       .processes = 8,
                       .callers = 4,
                       .hold = microseconds(hold),
                       .with = with,
                       .duration = milliseconds(quick ? 1000 : 4000)};
            change(s);
            all.push_back(s);
        };
        add("exclusive", [](scenario&) {});
        add("all write", [](scenario& s) { s.reads = 0; });
        add("half read", [](scenario& s) { s.reads = 0.5; });
        add("95 % read", [](scenario& s) { s.reads = 0.95; });
        add("all read", [](scenario& s) { s.reads = 1; });
        add("4 permits", [](scenario& s) { s.permits = 4; });
        add("16 permits", [](scenario& s) { s.permits = 16; });
        add("leading", [](scenario& s) { s.leads = true; });
        add("1 of 8 keys", [](scenario& s) { s.keys = 8; });
        add("2 of 8 keys", [](scenario& s) {
            s.keys = 8;
            s.together = 2;
        });
    }
    return all;
}

} // namespace bench
