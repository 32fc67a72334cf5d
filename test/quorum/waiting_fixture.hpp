#pragma once

#include "contest_fixture.hpp"
#include "core/quorum/node_set.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::test {

/// A contest that waits for whoever has the key, on nodes that answer what they are asked.
struct waiting_fixture : contest_fixture {
    /// Until nobody asks for anything.
    void serve() {
        for (bool any = true; any;) {
            any = false;
            for (const auto& n : nodes) {
                if (tokens_asked_for == most_tokens) return;
                if (n->asked().empty() || (n->asked().find(":redlock-fence") != n->asked().npos &&
                                           keeps_token.has(static_cast<unsigned>(&n - nodes.data()))))
                    continue;
                any = true;
                turn([&] {
                    const std::string answer = answer_to(n->asked());
                    answer.empty() ? n->fail(errc::node_timeout) : n->answer(answer);
                });
            }
        }
    }
    void pass(core::nanoseconds time) {
        for (core::nanoseconds end = time; end > 0ns; end -= 10ms) {
            clock += 10ms;
            turn([] {});
            serve();
        }
    }
    void pass_until_a_token_is_asked_for() {
        for (int i = 0; i < 100 && tokens_asked_for == 0; ++i)
            pass(10ms);
        BOOST_REQUIRE(tokens_asked_for > 0u);
    }
    std::string answer_to(std::string_view command) {
        const auto has = [&](std::string_view what) { return command.find(what) != command.npos; };
        if (has("\r\nSET\r\n")) {
            ++asked;
            return is_free ? "$-1\r\n" : "$5\r\nother\r\n";
        }
        if (has("\r\nPTTL\r\n")) return is_free || misleads ? ":-2\r\n" : ":100000\r\n";
        if (!has(":redlock-fence")) return ":1\r\n";
        if (has("ZADD")) return ":0\r\n";
        ++tokens_asked_for;
        if (loses_fences) return {};
        return ":" + std::to_string(fence) + "\r\n";
    }

    bool is_free = false;
    bool misleads = false;     ///< says that the key is free, whoever has it
    bool loses_fences = false; ///< no answer to who asks for a token
    std::uint64_t fence = 2'000'000'000'000'000;
    core::node_set keeps_token; ///< these do not answer yet who asks for a token
    unsigned asked = 0;
    unsigned tokens_asked_for = 0;
    unsigned most_tokens = 1'000'000; ///< from then on nothing is answered
};

} // namespace redlock::test
