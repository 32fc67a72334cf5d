#pragma once

#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "scripted_quorum.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {

/// One of those that are agreed on here.
inline constexpr std::uint64_t a_fence = 2'000'000'000'000'000;

struct one_token final : engine::token_listener {
    void token_decided(engine::outcome how, std::uint64_t fencing_token, errc reason,
                       const engine::failure*) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
        token = fencing_token;
        why = reason;
    }
    std::optional<engine::outcome> decided;
    std::uint64_t token = 0;
    errc why{};
    engine::claim_pointer claim;
    engine::errand_pointer<> errand;
};

struct joint_advances_fixture : scripted_quorum {
    static std::string key_of(std::size_t i) { return "key" + std::to_string(i) + "."; }
    void advance_in_turn(std::size_t i, std::string key, mode how = mode::exclusive) {
        of[i] = {};
        of[i].claim = engine().claim_key("", engine::key_name(detail::key_text(key), how), true);
        of[i].errand = engine().advance_token(of[i].claim, of[i]);
    }
    void advance(std::size_t count) {
        turn([&] {
            for (std::size_t i = 0; i < count; ++i)
                advance_in_turn(i, key_of(i));
        });
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    bool asks_for_several(unsigned node) const {
        return asks(node, text_of(redis::script::advance_several)) ||
               asks(node, hash_of(redis::script::advance_several));
    }
    bool asks_alone(unsigned node, std::size_t i) const {
        return (asks(node, text_of(redis::script::advance_fence)) ||
                asks(node, hash_of(redis::script::advance_fence))) &&
               asks(node, key_of(i) + ":redlock-fence");
    }
    void answer(unsigned node, std::string_view reply) {
        turn([&] { nodes[node]->answer(reply); });
    }
    static std::string reply_of(std::initializer_list<std::int64_t> numbers) {
        std::string text = "*" + std::to_string(numbers.size()) + "\r\n";
        for (const std::int64_t n : numbers)
            text += ":" + std::to_string(n) + "\r\n";
        return text;
    }
    static std::string all_raised(std::size_t count, std::uint64_t to = a_fence) {
        std::string text = "*" + std::to_string(count) + "\r\n";
        for (std::size_t i = 0; i < count; ++i)
            text += ":" + std::to_string(to) + "\r\n";
        return text;
    }
    std::size_t confirmed() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            of, [](const one_token& t) { return t.decided == engine::outcome::confirmed; }));
    }
    bool rests() {
        return quorum().joint_advances().empty() &&
               std::ranges::all_of(nodes, [](const auto& n) { return n->asked().empty(); });
    }

    std::array<one_token, 2 * redis::joint_command::most_keys + 1> of;
};

} // namespace redlock::test
