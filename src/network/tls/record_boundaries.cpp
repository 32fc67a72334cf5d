#include "network/tls/record_boundaries.hpp"

#include <algorithm>

namespace redlock::network {

void record_boundaries::pass(std::string_view bytes) noexcept {
    for (const char c : bytes.substr(0, first_.size() - known_))
        first_[known_++] = static_cast<unsigned char>(c);
    while (!bytes.empty()) {
        if (in_body_ > 0) {
            const std::size_t passed = std::min(in_body_, bytes.size());
            in_body_ -= passed;
            bytes.remove_prefix(passed);
            continue;
        }
        // The length, in two bytes, is what a header ends with.
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        ++in_header_;
        if (in_header_ + 1 == header_size) length_ = std::size_t{byte} << 8;
        if (in_header_ == header_size) {
            in_body_ = length_ | byte;
            in_header_ = 0;
        }
    }
}

bool record_boundaries::is_foreign() const noexcept {
    constexpr unsigned char first_type = 20; // change_cipher_spec
    constexpr unsigned char last_type = 23;  // application_data
    if (known_ > 0 && (first_[0] < first_type || first_[0] > last_type)) return true;
    return known_ > 1 && first_[1] != 3;
}

} // namespace redlock::network
