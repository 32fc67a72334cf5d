#include "sim/world.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

namespace {

// Steps without any time between them.
constexpr int most_at_an_instant = 100'000;

} // namespace

world::world(std::uint64_t seed, sim::weather w, std::FILE* out)
    : dice_(seed ^ 0x5eed),
      tokens_(dice_),
      weather_(std::move(w)),
      trace_(events_, out),
      network_(events_, dice_.seed()),
      checker_(events_, trace_,
               {.exclusion = weather_.promises_exclusion(), .fencing = weather_.data_is_kept}),
      leaders_(events_, weather_, checker_),
      processes_(weather_.clients),
      inspector_(events_, trace_, network_, weather_, checker_, servers_, processes_),
      renewals_(events_, weather_, inspector_, checker_),
      nemesis_(events_, weather_, *this, dice_.seed()),
      scout_(inspector_, nemesis_, weather_.strikes.probability > 0),
      fates_(seed ^ 0x9209) {
    trace_("seed {}: {}", seed, weather_.description());
    network_.set_weather(weather_.network);
    const auto drift = static_cast<int>(weather_.drift);
    for (std::uint32_t i = 0; i < weather_.servers.size(); ++i) {
        servers_.push_back(std::make_unique<server>(events_, i, weather_.servers[i], scout_, dice_.seed()));
        servers_[i]->host().set_clock(
            time::instant(dice_.between(nanoseconds(400'000h), nanoseconds(400'001h))),
            dice_.between(-drift, drift));
        network_.add_server(i, *servers_[i]);
    }
    for (std::uint32_t i = 0; weather_.groups && i < weather_.servers.size(); ++i)
        groups_.push_back(std::make_unique<watched_group>(events_, trace_, network_, inspector_, scout_,
                                                          weather_, i, servers_[i], fates_.seed()));
    for (std::uint32_t i = 0; weather_.clusters && i < weather_.servers.size(); ++i)
        clusters_.push_back(std::make_unique<slot_cluster>(events_, trace_, network_, inspector_, scout_,
                                                           weather_, i, servers_[i], fates_.seed()));
}

world::~world() { processes_.clear(); }

outcome world::run() {
    for (std::uint32_t c = 0; c < weather_.clients; ++c)
        start_client(c);
    nemesis_.start();
    inspect();
    pass(weather_.length, [] { return false; });
    mend();
    const nanoseconds life = weather_.longest_ttl + weather_.longest_ttl;
    const bool rests = pass(30s + 4 * life, [this] { return all_rest(); });
    if (!rests)
        for (std::uint32_t c = 0; c < weather_.clients; ++c)
            if (processes_[c] && !processes_[c]->is_resting()) {
                checker_.breach("I6: client " + std::to_string(c) + " does not come to rest");
                checker_.expect_rest(c);
            }
    if (checker_.breaches().empty()) {
        pass(inspector_.settling_time() + life + life / 10 + 6s, [] { return false; });
        inspector_.expect_nothing_left();
        close_all();
    }
    return {.breaches = checker_.breaches(),
            .digest = trace_.digest(),
            .steps = events_.steps(),
            .grants = checker_.grants()};
}

template <class Condition>
bool world::pass(nanoseconds how_long, Condition reached) {
    const nanoseconds end = events_.now() + how_long;
    while (events_.now() < end && checker_.breaches().empty()) {
        if (reached()) return true;
        const nanoseconds before = events_.now();
        if (!events_.step()) break;
        checker_.look();
        at_this_instant_ = events_.now() == before ? at_this_instant_ + 1 : 0;
        if (at_this_instant_ > most_at_an_instant)
            checker_.breach("time stands still: somebody is in a loop");
    }
    return reached();
}

void world::inspect() {
    events_.after(inspector::interval, [this] {
        inspector_.look();
        renewals_.look();
        inspect();
    });
}

void world::start_client(std::uint32_t client) {
    if (const nanoseconds left = no_newcomers_before_ - events_.now(); left > nanoseconds(0)) {
        events_.after(left, [this, client] {
            if (!processes_[client]) start_client(client);
        });
        return;
    }
    const surroundings around{events_,  network_,   checker_, trace_,  weather_,
                              context_, inspector_, nemesis_, tokens_, leaders_};
    processes_[client] = std::make_unique<process>(around, client, dice_.seed());
    processes_[client]->start();
    if (mended_) processes_[client]->wind_down();
    trace_("client {} starts", client);
}

void world::mend() {
    mended_ = true;
    trace_("all is mended");
    for (std::uint32_t s = 0; s < servers_.size(); ++s) {
        servers_[s]->host().go_on();
        servers_[s]->restart(true);
        for (std::uint32_t c = 0; c < weather_.clients; ++c)
            for (const direction d : {to_server, to_client})
                network_.set_cut(c, s, d, false);
    }
    for (const auto& g : groups_)
        g->mend();
    for (const auto& each : clusters_)
        each->mend();
    for (std::uint32_t s = 0; s < servers_.size(); ++s)
        for (std::uint32_t c = 0; c < weather_.clients; ++c)
            for (const std::uint32_t place : places_of_witnesses(s))
                for (const direction d : {to_server, to_client})
                    network_.set_cut(c, place, d, false);
    network_weather calm = weather_.network;
    calm.loss = 0;
    network_.set_weather(calm);
    for (const auto& p : processes_) {
        if (!p) continue;
        p->host().go_on();
        p->wind_down();
    }
}

bool world::all_rest() const {
    return std::ranges::all_of(processes_,
                               [](const auto& p) { return p && !p->is_closing() && p->is_resting(); });
}

void world::close_all() {
    std::size_t open = processes_.size();
    for (const auto& p : processes_)
        p->close([&open] { --open; });
    if (!pass(5s, [&] { return open == 0; })) checker_.breach("I6: a client cannot be closed");
    for (std::uint32_t c = 0; c < processes_.size(); ++c)
        checker_.expect_rest(c);
    processes_.clear();
}

} // namespace redlock::sim
