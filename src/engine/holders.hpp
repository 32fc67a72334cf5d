#pragma once

#include "engine/claim.hpp"

#include <string_view>

namespace redlock::engine {

/// Told to the engine: which claim the client holds at a key.
class holders {
public:
    /// Null when it holds none.
    virtual const claim* holder_of(std::string_view full_key) const noexcept = 0;

protected:
    ~holders() = default;
};

} // namespace redlock::engine
