#pragma once

#include "engine/claim.hpp"
#include "lease/lessee.hpp"
#include "lease/local_queue.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::primitive {

/// The keys of the permits of one key: ":0", ":1" and so on behind it. To read there is one permit, which
/// many have: the key itself.
class permit_key {
public:
    permit_key(std::string_view key, redlock::mode m) : key_size_(key.size()), mode_(m) {
        text_.reserve(key.size() + 1);
        text_.append(key).push_back(':');
    }

    std::string_view key() const noexcept { return std::string_view(text_).substr(0, key_size_); }
    bool reads() const noexcept { return mode_ == redlock::mode::read; }
    engine::key_name name_of(unsigned slot) const {
        if (reads()) return {detail::key_text(key()), mode_};
        char digits[4]; // two, of a number below 64
        char* const end = std::to_chars(digits, digits + sizeof digits, slot).ptr;
        const std::string_view number(digits, static_cast<std::size_t>(end - digits));
        return {detail::key_text(text_, number), 1 + number.size()};
    }
    /// Whether somebody of this process has the permit, or asks for it.
    bool is_taken_here(lock::lessee& l, unsigned slot) const {
        const detail::key_text full(l.settings().key_prefix, name_of(slot).text);
        const lock::local_queues::occupation by = l.queues().who_has(full);
        // Those who read are in no queue of the process.
        return reads() ? by == lock::local_queues::occupation::holder
                       : by != lock::local_queues::occupation::nobody;
    }

private:
    std::string text_;
    std::size_t key_size_;
    redlock::mode mode_;
};

} // namespace redlock::primitive
