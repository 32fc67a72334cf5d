#pragma once

#include "contest_fixture.hpp"
#include "engines/redis/dialect/scripts.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace redlock::test {

struct drain_ear final : engine::drain_listener {
    void others_read() noexcept override { ++waits; }
    void drained(core::instant at) noexcept override {
        BOOST_TEST(!is_over());
        sent_at = at;
    }
    void not_drained(errc why, const engine::failure* more) noexcept override {
        BOOST_TEST(!is_over());
        refused = why;
        if (more) text = more->describe("granted the lock \"k\"");
    }
    bool is_over() const { return sent_at || refused; }

    unsigned waits = 0;
    std::optional<core::instant> sent_at;
    std::optional<errc> refused;
    std::string text;
};

/// `+` nobody reads, `r` somebody does, `m` the key is missing, `-` it is somebody else's, `!` no answer.
struct drain_fixture : contest_fixture {
    using contest_fixture::contest_fixture;

    void drain(bool waits, core::nanoseconds wait = 10s, core::nanoseconds ttl = 1s) {
        turn([&] {
            claimed = engine().claim_key("", {detail::key_text("k"), mode::write}, false);
            contest = &engine().drain({.claim = claimed,
                                       .claimed_at = clock,
                                       .life = 1000ms,
                                       .ttl = ttl,
                                       .renews = true,
                                       .fencing = false,
                                       .waits = waits,
                                       .wait_until = waits ? clock + wait : clock,
                                       .not_before = core::instant::min()},
                                      draining);
            contest->start();
        });
    }
    void answer(unsigned node, char how, std::chrono::milliseconds left = 5s) {
        turn([&] {
            if (how == '!') return nodes[node]->fail(errc::node_timeout);
            nodes[node]->answer(how == '+'   ? "*1\r\n:1\r\n"
                                : how == 'm' ? "*1\r\n:3\r\n"
                                : how == '-' ? "*1\r\n:0\r\n"
                                             : "*2\r\n:2\r\n:" + std::to_string(left.count()) + "\r\n");
        });
    }
    void answer_all(std::string_view how, std::chrono::milliseconds left = 5s) {
        for (unsigned node = 0; node < how.size(); ++node)
            if (how[node] != '?') answer(node, how[node], left);
    }
    bool clears(unsigned node) const {
        return asks(node, text_of(redis::script::write_try)) || asks(node, hash_of(redis::script::write_try));
    }
    bool puts_back(unsigned node) const {
        return clears(node) && nodes[node]->asked().ends_with("$1\r\n1\r\n");
    }
    bool looks(unsigned node) const { return asks(node, "PTTL") && asks(node, "k:redlock-readers"); }
    /// What the watch over the readers asked for.
    void see_readers(std::chrono::milliseconds left = 5s) {
        for (unsigned node = 0; node < nodes.size(); ++node)
            while (!nodes[node]->asked().empty() && !clears(node))
                turn([&] {
                    nodes[node]->answer(looks(node)            ? ":" + std::to_string(left.count()) + "\r\n"
                                        : asks(node, "PUBSUB") ? "*2\r\n$1\r\nk\r\n:1\r\n"
                                                               : ">3\r\n$9\r\nsubscribe\r\n$17\r\n"
                                                                 "k:redlock-readers\r\n:1\r\n");
                });
    }
    /// Who watches is told of changes.
    void tell() {
        for (unsigned node = 0; node < nodes.size(); ++node)
            quorum().session_of(node).set_wakeup(wakeup::keyspace_events);
    }
    void pass(core::nanoseconds time) {
        clock += time;
        turn([] {});
    }

    drain_ear draining;
    engine::contest* contest = nullptr;
};

} // namespace redlock::test
