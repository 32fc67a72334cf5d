#pragma once

#include <redlock/detail/language.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace redlock {

/// Most keys of one `client::async_list`.
inline constexpr std::size_t most_listed_keys = 10'000;

/// Keys of locks, as some node knew them.
struct key_list {
    std::vector<std::string> keys; ///< without `config::key_prefix`, in the order of their bytes
    bool more = false;             ///< there may be more than these
};

} // namespace redlock
