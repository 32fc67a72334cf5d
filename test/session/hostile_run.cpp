#include "session/hostile_run.hpp"

#include "session/script.hpp"
#include "session/watched_node.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
namespace error = boost::asio::error;

/// What a peer may say whatever it was asked.
constexpr std::string_view phrases[] = {
    "+OK\r\n",
    ":1\r\n",
    "_\r\n",
    "$-1\r\n",
    "*0\r\n",
    "-ERR no\r\n",
    "-NOPROTO unsupported\r\n",
    "-NOAUTH Authentication required.\r\n",
    "-WRONGPASS invalid\r\n",
    "-LOADING Redis is loading the dataset in memory\r\n",
    "-NOSCRIPT No matching script.\r\n",
    "%1\r\n+server\r\n+redis\r\n",
    "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n+proto\r\n:3\r\n",
    "$0\r\n\r\n",
    "$18\r\nuptime_in_seconds:\r\n",
    "$13\r\nrole:slave\r\nx\r\n",
    ">3\r\n+subscribe\r\n+0\r\n:1\r\n",
    ">3\r\n+unsubscribe\r\n+0\r\n:0\r\n",
    ">3\r\n+message\r\n+0\r\n+expired\r\n",
    "*3\r\n+subscribe\r\n+0\r\n:1\r\n",
    "*3\r\n+message\r\n+0\r\n+del\r\n",
    ">2\r\n+invalidate\r\n*1\r\n+k\r\n",
    ">0\r\n",
    "|1\r\n+a\r\n+b\r\n+OK\r\n",
    "$2147483648\r\n",
    "*1000000\r\n",
    "$100\r\n",
    "+",
    "HTTP/1.1 400 Bad Request\r\n\r\n",
};

const boost::system::error_code failures[] = {error::connection_refused, error::connection_reset, error::eof,
                                              error::timed_out, error::would_block};

node::node_settings settings_from(script& choices) {
    node::node_settings settings;
    settings.request_limit = 16;
    settings.output_limit = 1024;
    settings.only_listens = choices.byte() % 8 == 7;
    return settings;
}

/// A node at the mercy of a script.
class hostile_scene {
public:
    explicit hostile_scene(std::string_view program)
        : choices_(program),
          node_(settings_from(choices_), choices_.flag() ? "redis://me:secret@node/2" : "redis://node") {
        node_.resp3 = choices_.byte() % 4 != 3;
        flushes_ = choices_.byte() % 8 != 7;
        node_.then = [this] { react(); };
        node_.world().fault = [this] { return std::exchange(fault_, {}); };
    }

    std::string run() {
        if (choices_.byte() % 8 == 7) submit(); // before the start
        if (node_.alive()) node_.start();
        while (!choices_.over() && node_.alive() && node_.broken().empty())
            step();
        heal();
        node_.then = nullptr;
        if (choices_.flag() && node_.alive()) {
            node_.stop();
            node_.settle();
        }
        node_.finish();
        return node_.broken();
    }

private:
    void step();
    void network_step(std::size_t what);
    void client_step(std::size_t what);
    void time_step(std::size_t what);
    void submit();
    void answer();
    void say(std::string_view bytes);
    void react();
    void heal();

    script choices_;
    watched_node node_;
    bool flushes_;
    boost::system::error_code fault_; ///< of the next thing the node asks of a socket
    std::size_t reaction_ = 0;        ///< what the node's caller does from inside a call
    std::size_t calls_until_reaction_ = 0;
};

void hostile_scene::step() {
    const std::size_t what = choices_.below(24);
    if (what < 11) return network_step(what);
    if (what < 18) return client_step(what - 11);
    time_step(what - 18);
}

void hostile_scene::network_step(std::size_t what) {
    const auto wire = node_.world().wire();
    if (!wire) return;
    switch (what) {
    case 0:
    case 1:
        return wire->accept();
    case 2:
        return wire->refuse(failures[choices_.below(std::size(failures))]);
    case 3:
    case 4:
        return answer();
    case 5:
        return say(phrases[choices_.below(std::size(phrases))]);
    case 6:
        return say(choices_.bytes(choices_.below(64)));
    case 7:
        return wire->end(error::eof);
    case 8:
        return wire->reset();
    case 9: {
        const std::size_t size = choices_.byte();
        return wire->admit(size == 255 ? std::string::npos : size);
    }
    default:
        return node_.serve(1 + choices_.below(32));
    }
}

void hostile_scene::client_step(std::size_t what) {
    switch (what) {
    case 0:
    case 1:
        return submit();
    case 2:
        for (auto count = choices_.below(24); count > 0; --count)
            node_.submit(ask::echo, 50ms);
        return;
    case 3:
        return node_.flush();
    case 4:
        reaction_ = 1 + choices_.below(5);
        calls_until_reaction_ = choices_.below(8);
        return;
    case 5:
        fault_ = failures[choices_.below(std::size(failures))];
        return;
    default:
        if (const auto end = choices_.byte(); end >= 250) // few, so that programs are long
            end % 2 == 0 ? node_.stop() : node_.destroy();
    }
}

void hostile_scene::time_step(std::size_t what) {
    switch (what) {
    case 0:
        node_.run_one();
        return;
    case 1:
    case 2:
        return node_.settle();
    case 3:
        return node_.pass(std::min<std::chrono::nanoseconds>(choices_.time(), 5s));
    case 4: // nobody runs meanwhile
        return node_.world().pass(choices_.time());
    default:
        return node_.world().suspend(choices_.time());
    }
}

void hostile_scene::submit() {
    const auto what = static_cast<ask>(choices_.below(4));
    const auto within = choices_.time();
    const std::size_t size = choices_.byte();
    node_.submit(what, within, size < 128 ? 0 : 4 * (size - 128));
}

/// Answers properly, in pieces, which may be cut short.
void hostile_scene::answer() {
    const auto wire = node_.world().wire();
    const std::size_t count = 1 + choices_.below(8);
    const std::size_t piece = 1 + choices_.below(64);
    const bool cut = choices_.byte() % 16 == 15;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string bytes = node_.server().answer();
        if (cut && !bytes.empty()) {
            wire->send(bytes.substr(0, bytes.size() / 2));
            return wire->end(error::eof);
        }
        for (std::size_t sent = 0; sent < bytes.size(); sent += piece)
            wire->send(bytes.substr(sent, piece));
    }
}

void hostile_scene::say(std::string_view bytes) {
    node_.taint();
    node_.world().wire()->send(std::string(bytes));
}

void hostile_scene::react() {
    if (flushes_) node_.flush();
    if (reaction_ == 0 || calls_until_reaction_-- > 0) return;
    switch (std::exchange(reaction_, 0)) {
    case 1:
        return node_.submit(ask::echo, 10ms);
    case 2:
        return node_.submit(ask::cleanup, 0ms);
    case 3:
        return node_.submit(ask::subscription, 50ms);
    case 4:
        return node_.stop();
    default:
        return node_.destroy();
    }
}

void hostile_scene::heal() {
    reaction_ = 0;
    fault_ = {};
    flushes_ = true;
    if (!node_.alive() || node_.stopped()) return;
    if (const auto wire = node_.world().wire()) {
        wire->admit(std::string::npos);
        if (node_.tainted()) wire->reset();
    }
    const auto before = node_.replies();
    for (int i = 0; i < 100 && node_.replies() == before && node_.broken().empty(); ++i) {
        node_.serve();
        if (node_.alive() && node_.state() == node::health::ready) node_.submit(ask::echo, 1s);
        node_.flush();
        node_.serve();
        node_.pass(100ms);
    }
    node_.expect_served(before);
}

} // namespace

std::string hostile_run(std::string_view program) { return hostile_scene(program).run(); }

} // namespace redlock::test
