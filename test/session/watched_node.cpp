#include "session/watched_node.hpp"

#include "engines/redis/node/fast_path.hpp"
#include "engines/redis/resp/command.hpp"

#include <boost/asio/strand.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::test {

namespace asio = boost::asio;
using node::health;
using std::chrono::nanoseconds;

namespace {

/// Written over commands that need not stay any more.
const std::string scribble(4096, '#');

} // namespace

watched_node::watched_node(const node::node_settings& settings, const std::string& uri)
    : strand_(asio::make_strand(asio::any_io_executor(context_.get_executor()))),
      world_(virtual_world::of(strand_)),
      settings_(settings),
      node_(std::make_unique<node::redis_node>(strand_, node::parse_address(uri), 0, settings, *this, world_,
                                               1, world_)) {}

void watched_node::expect(bool holds, const char* promise) {
    if (!holds && broken_.empty()) broken_ = promise;
}

void watched_node::start() {
    quiet_ = true;
    node_->start();
    quiet_ = false;
}

void watched_node::submit(ask what, nanoseconds within, std::size_t size) {
    if (!alive()) return;
    const auto deadline = std::max(latest_deadline_, world_.now() + within);
    const std::string number = std::to_string(requests_.size());
    if (settings_.only_listens || what == ask::subscription) {
        submit_one(ask::subscription, false, {"SUBSCRIBE", number}, deadline);
        if (settings_.only_listens) return;
        const std::string next = std::to_string(requests_.size());
        return submit_one(what, true, {"PTTL", next}, deadline);
    }
    submit_one(what, false, {"ECHO", number + std::string(size, '.')}, deadline);
}

void watched_node::submit_one(ask what, bool pttl, std::initializer_list<std::string_view> words,
                              time::instant deadline) {
    const auto state = node_->state();
    const auto tag = static_cast<std::uint32_t>(requests_.size());
    const bool cleanup = what == ask::cleanup;
    const bool stays = tag % 4 != 3;
    std::string command;
    if (!stays) resp::append_command(command, words);
    const node::request r{.command = stays ? batch_.append(words) : command,
                          .receiver = what == ask::unanswerable ? nullptr : this,
                          .tag = node::reply_tag::numbered(tag),
                          .deadline = deadline,
                          .subscription = what == ask::subscription && !pttl,
                          .stays = stays,
                          .cleanup = cleanup};
    quiet_ = true;
    const bool fast =
        stays && !r.subscription && node_->fast()->submit(r.command, r.receiver, r.tag, r.deadline);
    const errc refusal = fast ? errc{} : node_->submit(r);
    quiet_ = false;
    if (fast) expect(state == health::ready, "only a ready node takes requests the fast way");
    if (stopped_) expect(refusal == errc::closed, "a stopped node answers closed");
    if (refusal != errc{}) return;
    expect(state == health::ready || state == health::connecting || (state == health::suspect && cleanup),
           "a node takes requests only while it is connecting or ready, or suspect and told to clean up");
    latest_deadline_ = deadline;
    latest_due_ = std::max(latest_due_, world_.awake() + (deadline - world_.now()));
    requests_.push_back({what, pttl, deadline, latest_due_});
    if (what != ask::unanswerable) ++unresolved_;
    // Those held for the first connection, and those submitted behind them when it is there.
    expect(unresolved_ <= 2 * settings_.request_limit, "no more requests are taken than the limit");
}

void watched_node::flush() {
    if (!alive()) return;
    quiet_ = true;
    node_->flush();
    quiet_ = false;
    batch_.clear();
    batch_.append(std::array{std::string_view(scribble)});
    batch_.clear();
}

void watched_node::stop() {
    if (!alive()) return;
    const bool outermost = !stopping_;
    ++stops_;
    stopping_ = true;
    node_->stop([this] {
        expect(!stopping_, "the end is not told from inside stop");
        ++ends_;
    });
    if (!outermost) return;
    stopping_ = false;
    stopped_ = true;
    if (alive()) expect(unresolved_ == 0, "stop fails every request that waits");
}

void watched_node::finish() {
    if (alive() && stopped_ && stops_ == ends_) expect(node_->idle(), "a node that has ended is idle");
    destroy();
    while (run_one())
        continue;
    expect(stops_ == ends_, "the end of a stopped node is told");
}

bool watched_node::run_one() {
    if (context_.stopped()) context_.restart();
    return context_.poll_one() > 0;
}

void watched_node::settle() {
    int steps = 0;
    while (run_one() || world_.ring())
        if (++steps > 10'000) return expect(false, "a node comes to rest");
    expect_rest();
}

void watched_node::expect_rest() {
    if (!alive()) return;
    expect(!in_turn_ || stopped_, "a turn that began ends");
    if (stopped_) {
        expect(ends_ == stops_, "the end of a stopped node is told");
        return expect(node_->idle(), "a stopped node comes to rest");
    }
    // After a suspend, a timer that was set before it is late by what it still had to wait: for a deadline
    // that has its share in `due`, or for the next attempt to connect.
    const auto late = world_.now() == world_.awake() ? nanoseconds(0) : settings_.backoff_ceiling;
    for (const auto& request : requests_)
        if (request.what != ask::unanswerable && request.outcomes == 0)
            expect(world_.awake() < request.due + settings_.node_timeout + late,
                   "a request has an outcome when its deadline has passed");
}

void watched_node::expect_served(std::size_t before) {
    expect(replies_ > before, "a node is of use again when its server is");
}

void watched_node::pass(nanoseconds time) {
    const auto until = world_.now() + time;
    settle();
    for (auto next = world_.next_timer(); next <= until && broken_.empty(); next = world_.next_timer()) {
        world_.pass(std::max(next - world_.now(), nanoseconds(0)));
        settle();
    }
    world_.pass(std::max(until - world_.now(), nanoseconds(0)));
}

void watched_node::taint() {
    server();
    tainted_ = any_tainted_ = true;
}

model_server& watched_node::server() {
    if (served_ != world_.wires()) {
        served_ = world_.wires();
        server_ = model_server(resp3 && !settings_.only_listens, settings_.only_listens);
        tainted_ = false;
    }
    if (world_.wire()) server_.feed(world_.wire()->take());
    return server_;
}

void watched_node::serve(std::size_t piece) {
    const auto& wire = world_.wire();
    if (!wire) return;
    if (wire->connecting()) wire->accept();
    settle();
    while (wire == world_.wire() && wire->open() && server().waiting() > 0) {
        const std::string answer = server().answer();
        for (std::size_t sent = 0; sent < answer.size(); sent += std::min(piece, answer.size()))
            wire->send(answer.substr(sent, piece));
        settle();
    }
}

} // namespace redlock::test
