// What a nemesis can do to a world.

#include "sim/world.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace redlock::sim {

void world::reset(std::uint32_t client, std::uint32_t server) {
    trace_("connections of client {} to server {} are reset", client, server);
    network_.reset(client, server);
}

void world::cut(std::uint32_t client, std::uint32_t server, bool there, bool back, nanoseconds how_long) {
    trace_("nothing gets from {} {} to {} {} for {} ms", there ? "client" : "server", there ? client : server,
           there ? "server" : "client", there ? server : client, how_long.count() / 1'000'000);
    std::vector<std::uint32_t> places;
    // Of a group whatever it is of the servers and of each Sentinel.
    const auto witnesses = places_of_witnesses(server);
    if (witnesses.empty() || fates_.chance(0.6)) places.push_back(server);
    for (const std::uint32_t place : witnesses)
        if (fates_.chance(0.5)) places.push_back(place);
    for (const std::uint32_t place : places) {
        if (there) cut_place(client, place, to_server, how_long);
        if (back) cut_place(client, place, to_client, how_long);
    }
}

std::vector<std::uint32_t> world::places_of_witnesses(std::uint32_t server) const {
    std::vector<std::uint32_t> places;
    for (unsigned which = 0; weather_.groups && which < group::sentinels; ++which)
        places.push_back(group::sentinel_address(server, which));
    for (unsigned which = 0; weather_.clusters && which < slot_cluster::witnesses; ++which)
        places.push_back(slot_cluster::witness_address(server, which));
    return places;
}

void world::cut_place(std::uint32_t client, std::uint32_t place, direction d, nanoseconds how_long) {
    network_.set_cut(client, place, d, true);
    events_.after(how_long, [this, client, place, d] { network_.set_cut(client, place, d, false); });
}

void world::blind(std::uint32_t client, nanoseconds how_long) {
    trace_("client {} gets to no {} for {} ms", client, weather_.clusters ? "witness" : "Sentinel",
           how_long.count() / 1'000'000);
    for (std::uint32_t s = 0; s < servers_.size(); ++s)
        for (const std::uint32_t place : places_of_witnesses(s))
            cut_place(client, place, to_client, how_long);
}

void world::disturb(std::uint32_t server) {
    for (std::uint32_t c = 0; c < weather_.clients; ++c)
        network_.disturb(c, server);
}

void world::stop_server(std::uint32_t server, nanoseconds how_long) {
    trace_("server {} stands still for {} ms", server, how_long.count() / 1'000'000);
    servers_[server]->host().stop();
    events_.after(how_long, [this, server] {
        servers_[server]->host().go_on();
        disturb(server);
    });
}

void world::crash_server(std::uint32_t server, nanoseconds how_long, bool with_data) {
    if (!servers_[server]->is_up()) return;
    trace_("server {} crashes, and is back in {} ms {} data", server, how_long.count() / 1'000'000,
           with_data ? "with its" : "without");
    servers_[server]->crash();
    if ((weather_.groups || weather_.clusters) && fates_.chance(0.5))
        events_.after(fates_.spread(std::chrono::milliseconds(1), std::chrono::milliseconds(500)),
                      [this, server] { fail_over(server); });
    events_.after(how_long, [this, server, with_data] {
        trace_("server {} is back", server);
        servers_[server]->restart(with_data);
        disturb(server);
    });
}

void world::jump_server_clock(std::uint32_t server, nanoseconds by) {
    trace_("the clock of server {} jumps by {} ms", server, by.count() / 1'000'000);
    servers_[server]->host().jump_clock(by);
}

void world::stop_client(std::uint32_t client, nanoseconds how_long) {
    if (!processes_[client]) return;
    trace_("client {} stands still for {} ms", client, how_long.count() / 1'000'000);
    const auto on = processes_[client]->host().shared_from_this();
    on->stop();
    events_.after(how_long, [on] { on->go_on(); });
}

void world::suspend_client(std::uint32_t client, nanoseconds how_long) {
    if (!processes_[client]) return;
    trace_("the clock of client {} is ahead by {} ms", client, how_long.count() / 1'000'000);
    host& on = processes_[client]->host();
    on.set_time_of_day(dice_.between(-weather_.time_of_day, weather_.time_of_day));
    on.stop();
    on.jump_clock(how_long);
    on.go_on();
}

void world::kill_client(std::uint32_t client, nanoseconds how_long) {
    if (!processes_[client]) return;
    trace_("client {} dies", client);
    processes_[client].reset();
    events_.after(how_long, [this, client] {
        if (!processes_[client]) start_client(client);
    });
}

void world::end_client(std::uint32_t client, nanoseconds how_long) {
    if (!processes_[client] || processes_[client]->is_closing()) return;
    trace_("client {} is closed", client);
    processes_[client]->close([this, client, how_long] {
        if (processes_[client]) inspector_.expect_given_back(*processes_[client]);
        // Not from inside the client.
        events_.after(nanoseconds(0), [this, client, how_long] {
            if (!processes_[client] || !processes_[client]->is_closing()) return;
            trace_("client {} has closed", client);
            checker_.expect_rest(client);
            kill_client(client, how_long);
        });
    });
}

void world::fail_over(std::uint32_t server) {
    if (mended_) return;
    if (weather_.clusters)
        clusters_[server]->fail_over();
    else
        groups_[server]->fail_over();
    disturb(server);
}

// Nothing protects from that who does not know whose the slots were: all who are there do, and others come
// later.
void world::give_slots_away(std::uint32_t server) {
    const bool all_know =
        std::ranges::all_of(processes_, [&](const auto& p) { return !p || p->is_ready(server); });
    if (mended_ || !all_know) return;
    no_newcomers_before_ =
        events_.now() + slot_cluster::longest_belief + 2 * nanoseconds(weather_.longest_ttl);
    clusters_[server]->give_away();
    disturb(server);
}

void world::tamper(std::uint32_t server, const words& command) {
    if (!servers_[server]->is_up() || servers_[server]->host().stopped()) return;
    trace_("at server {} a third party has {} {}", server, command[0], command[1]);
    inspector_.tampered(*servers_[server], command[1]);
    servers_[server]->tamper(command);
}

} // namespace redlock::sim
