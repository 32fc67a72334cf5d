#include "sim/connection.hpp"

#include "sim/server.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

void connection::open(endpoint& from_client) {
    queues_[to_client].end = &from_client;
    network_.add(shared_from_this());
    send(to_server, signal::open, {});
}

void connection::accept(endpoint* at_server) {
    queues_[to_server].end = at_server;
    send(to_client, at_server ? signal::opened : signal::refused, {});
}

void connection::send(direction d, signal what, std::string bytes) {
    queue& q = queues_[d];
    path& way = network_.between(client_, server_);
    // A piece that is lost is sent again, each time after twice as long, and holds up all that follow.
    nanoseconds again{0};
    for (nanoseconds pause = network_.weather().resent_after;
         network_.dice().chance(network_.weather().loss) && again < std::chrono::seconds(10); pause *= 2) {
        again += pause;
    }
    q.last_arrival = std::max(q.last_arrival, network_.events().now() + network_.delay(way, d) + again);
    if (again > nanoseconds(0)) way.disturbed_until = std::max(way.disturbed_until, q.last_arrival);
    q.pieces.push_back({q.last_arrival, what, std::move(bytes), again > nanoseconds(0)});
    move(d);
}

void connection::move(direction d) {
    queue& q = queues_[d];
    if (q.moving || q.pieces.empty()) return;
    q.moving = true;
    network_.events().at(q.pieces.front().arrival,
                         [self = shared_from_this(), d, generation = generations_[d]] {
                             if (generation == self->generations_[d]) self->arrive(d);
                         });
}

void connection::arrive(direction d) {
    queue& q = queues_[d];
    q.moving = false;
    if (network_.between(client_, server_).cut[d]) return; // until the way is free
    const piece first = std::move(q.pieces.front());
    q.pieces.pop_front();
    move(d);
    if (first.what == signal::open) {
        if (sim::server* const s = network_.server_at(address_)) s->connect(shared_from_this());
    } else if (q.end) {
        q.end->arrived(first.what, first.bytes);
    } else if (d == to_server && first.what == signal::bytes) {
        send(to_client, signal::reset, {});
    }
}

void connection::resume(direction d) {
    queue& q = queues_[d];
    if (q.moving || q.pieces.empty()) return;
    // Whoever waited for an acknowledgement tries again only after a while.
    const nanoseconds pause = network_.dice().between(nanoseconds(0), network_.weather().resent_after);
    q.last_arrival = network_.events().now() + pause;
    for (piece& p : q.pieces)
        p.arrival = q.last_arrival = std::max(p.arrival, q.last_arrival);
    path& way = network_.between(client_, server_);
    way.disturbed_until = std::max(way.disturbed_until, q.last_arrival);
    move(d);
}

// Nothing comes after the first that is lost, for what follows waits for it.
void connection::drop_unsent(direction d) {
    std::deque<piece>& pieces = queues_[d].pieces;
    const bool is_cut = network_.between(client_, server_).cut[d];
    const auto lost = std::ranges::find_if(pieces, [&](const piece& p) { return p.is_resent || is_cut; });
    if (lost == pieces.end()) return;
    if (lost == pieces.begin()) {
        ++generations_[d];
        queues_[d].moving = false;
    }
    pieces.erase(lost, pieces.end());
    queues_[d].last_arrival = pieces.empty() ? network_.events().now() : pieces.back().arrival;
}

void connection::leave(direction towards_the_other, bool crashed) {
    const direction own = towards_the_other == to_server ? to_client : to_server;
    if (own == to_client) left_by_client_ = true;
    queues_[own].end = nullptr;
    send(towards_the_other, crashed ? signal::reset : signal::end, {});
}

void connection::reset() {
    for (std::uint64_t& generation : generations_)
        ++generation;
    for (queue& q : queues_) {
        q.pieces.clear();
        q.moving = false;
    }
    for (const direction d : {to_server, to_client})
        send(d, signal::reset, {});
}

} // namespace redlock::sim
