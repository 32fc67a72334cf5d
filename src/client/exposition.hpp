#pragma once

#include <redlock/latency_histogram.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::lock {

/// Writes the text format of Prometheus, version 0.0.4: metrics one after the other, each with its samples
/// behind it.
class exposition {
public:
    struct label {
        std::string_view name;
        std::string_view value; ///< any bytes
    };
    using labels = std::initializer_list<label>;

    /// Which bounds of a histogram are given away: every power of two nanoseconds between these two.
    struct bounds {
        unsigned lowest;
        unsigned highest;
    };

    /// Begins a metric. Names and words are ours, and need no escape.
    void counter(std::string_view name, std::string_view help) { begin(name, "counter", help); }
    void gauge(std::string_view name, std::string_view help) { begin(name, "gauge", help); }
    void histogram(std::string_view name, std::string_view help) { begin(name, "histogram", help); }

    // Of the metric that was begun last.
    void sample(labels l, std::uint64_t value);
    void sample(labels l, const latency_histogram& values, const bounds& b);

    std::string take() noexcept { return std::move(text_); }

private:
    void begin(std::string_view name, std::string_view type, std::string_view help);
    void line(std::string_view suffix, labels l, const label* last, std::string_view value);
    void append(const label& l, char separator);

    std::string text_;
    std::string_view name_;
};

} // namespace redlock::lock
