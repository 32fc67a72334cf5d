#pragma once

#include "sim/event_queue.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace redlock::sim {

/// What happened, in words, each line with the true time. Two runs of one seed tell the same.
class trace {
public:
    /// `out` is null when nobody reads it.
    trace(const event_queue& events, std::FILE* out) noexcept : events_(events), out_(out) {}

    template <class... Args>
    void operator()(fmt::format_string<Args...> text, Args&&... args) {
        write(text, std::forward<Args>(args)...);
        // What is not printed counts too: two runs are told apart by it.
        for (const char c : line_)
            digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }

    /// What only matters to who reads it.
    template <class... Args>
    void detail(fmt::format_string<Args...> text, Args&&... args) {
        if (out_) write(text, std::forward<Args>(args)...);
    }
    bool is_read() const noexcept { return out_ != nullptr; }

    /// Of all lines so far.
    std::uint64_t digest() const noexcept { return digest_; }

private:
    template <class... Args>
    void write(fmt::format_string<Args...> text, Args&&... args) {
        line_.clear();
        fmt::format_to(std::back_inserter(line_), "{:>14.6f} ms  ",
                       static_cast<double>(events_.now().count()) / 1e6);
        fmt::format_to(std::back_inserter(line_), text, std::forward<Args>(args)...);
        line_ += '\n';
        if (out_) std::fwrite(line_.data(), 1, line_.size(), out_);
    }

    const event_queue& events_;
    std::FILE* out_;
    std::string line_;
    std::uint64_t digest_ = 0xcbf29ce484222325u;
};

} // namespace redlock::sim
