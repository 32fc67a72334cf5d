#include "core/sha256.hpp"

#include <bit>
#include <cstddef>

namespace redlock::core {

namespace {

constexpr std::size_t block_size = 64;
constexpr std::size_t size_of_length = 8;

// The fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using state = std::array<std::uint32_t, 8>;
using block = std::array<unsigned char, block_size>;

void take_in(state& all, const block& bytes) noexcept {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        for (std::size_t b = 0; b < 4; ++b)
            w[i] = w[i] << 8 | bytes[4 * i + b];
    for (std::size_t i = 16; i < w.size(); ++i) {
        const std::uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[i - 7] +
               (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = all;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const state added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] += added[i];
}

} // namespace

std::array<std::uint32_t, 8> sha256(std::string_view bytes) noexcept {
    state all{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::uint64_t bits = std::uint64_t{8} * bytes.size();
    // Behind the bytes stand a bit, as few zeros as there may be, and the length.
    const std::size_t blocks = (bytes.size() + 1 + size_of_length + block_size - 1) / block_size;
    for (std::size_t n = 0; n < blocks; ++n) {
        block next{};
        for (std::size_t i = 0; i < block_size; ++i) {
            const std::size_t at = n * block_size + i;
            if (at < bytes.size()) next[i] = static_cast<unsigned char>(bytes[at]);
            if (at == bytes.size()) next[i] = 0x80;
        }
        if (n + 1 == blocks)
            for (std::size_t i = 0; i < size_of_length; ++i)
                next[block_size - 1 - i] = static_cast<unsigned char>(bits >> 8 * i);
        take_in(all, next);
    }
    return all;
}

} // namespace redlock::core
