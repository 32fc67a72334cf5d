#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace redlock::network {

/// Follows the records of TLS in what a peer sends: a type, a version, a length, and so many bytes more (RFC
/// 8446, 5.1).
class record_boundaries {
public:
    void pass(std::string_view bytes) noexcept;

    /// How many bytes are certain to be missing of the record that has begun; 0 between two records.
    std::size_t missing() const noexcept { return in_header_ > 0 ? header_size - in_header_ : in_body_; }

    /// Whether anything has come.
    bool begun() const noexcept { return known_ > 0; }
    /// Whether what came first cannot be TLS.
    bool is_foreign() const noexcept;
    /// What came first; 0 before.
    unsigned char first() const noexcept { return first_[0]; }

private:
    static constexpr std::size_t header_size = 5;

    std::array<unsigned char, 2> first_{}; ///< the type and half of the version of the first record
    std::size_t known_ = 0;                ///< of these
    std::size_t in_header_ = 0;            ///< bytes of the header of a record whose length is not known yet
    std::size_t in_body_ = 0;              ///< bytes that are missing of a record whose length is known
    std::size_t length_ = 0;               ///< the first half of the one that is being read
};

} // namespace redlock::network
