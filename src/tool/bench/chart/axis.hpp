#pragma once

#include <string>
#include <vector>

namespace redlock::tool {

/// What stands at one place of an axis.
struct axis_mark {
    double value = 0;
    std::string text{};
};

/// Where values stand, from `low` at `begin` to `high` at `end`, in units of the drawing.
class axis {
public:
    enum class scale { linear, logarithmic };

    /// `low` is below `high`; of a logarithmic one both are positive.
    axis(scale how, double low, double high, double begin, double end) noexcept;

    /// What is outside stands at the end that is nearer.
    double place(double value) const noexcept;
    bool is_logarithmic() const noexcept { return how_ == scale::logarithmic; }

private:
    double measured(double value) const noexcept;

    scale how_;
    double low_, high_, begin_, end_;
};

/// Powers of ten such that all that is from `least` to `most`, both positive, lies between the first and the
/// last, which differ.
std::vector<double> decades(double least, double most);

/// Multiples of 1, 2 or 5 times a power of ten, from 0 to no more than `most`: about so many parts.
std::vector<double> round_marks(double most, double parts);

} // namespace redlock::tool
