#pragma once

#include "engines/redis/dialect/command_form.hpp"
#include "engines/redis/dialect/scripts.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

namespace redlock::redis {

/// A script with its keys and arguments: in the form with the hash, which the server may not know, or with
/// the text. The number of keys is part of the script.
class script_words {
public:
    script_words(command_form form, std::initializer_list<std::string_view> keys_and_arguments) noexcept
        : script_words(form, std::span(keys_and_arguments.begin(), keys_and_arguments.size())) {}
    script_words(command_form form, std::span<const std::string_view> keys_and_arguments) noexcept {
        assert(keys_and_arguments.size() <= most_words - 3);
        const script s = script_of(form);
        const bool known = is_by_hash(form);
        words_[0] = known ? "EVALSHA" : "EVAL";
        words_[1] = known ? hash_of(s) : text_of(s);
        constexpr std::string_view numbers[] = {"0", "1", "2"};
        words_[2] = numbers[keys_of(s)];
        end_ = std::ranges::copy(keys_and_arguments, words_.begin() + 3).out;
    }
    script_words(const script_words&) = delete;
    script_words& operator=(const script_words&) = delete;

    operator std::span<const std::string_view>() const noexcept { return {words_.begin(), end_}; }

private:
    static constexpr std::size_t most_words = 3 + 2 + 8;
    std::array<std::string_view, most_words> words_;
    std::array<std::string_view, most_words>::iterator end_;
};

} // namespace redlock::redis
