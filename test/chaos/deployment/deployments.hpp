#pragma once

#include "chaos/deployment/deployment.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace redlock::chaos {

struct deployment_options {
    bool lose_data =
        true; ///< servers that keep what they have promised do not always, where clients can tell
};

/// Starts the servers of this name. Throws `std::invalid_argument` when there are none.
std::unique_ptr<deployment> start_deployment(std::string_view name, const deployment_options& o);

/// All names, with spaces between them.
std::string deployment_names();

} // namespace redlock::chaos
