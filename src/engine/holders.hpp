#pragma once

#include "engine/claim.hpp"

#include <functional>
#include <string_view>

namespace redlock::engine {

/// Told to the engine: which claim the client holds at a key.
class holders {
public:
    /// Null when it holds none.
    virtual const claim* holder_of(std::string_view full_key) const noexcept = 0;
    /// Whether the key was left where it is on purpose by a claim of which `is_it` holds: it is kept behind
    /// an unlock, or the lease was lost and its holder has time to stop in.
    virtual bool has_left(std::string_view full_key,
                          const std::function<bool(const claim&)>& is_it) const = 0;

protected:
    ~holders() = default;
};

} // namespace redlock::engine
