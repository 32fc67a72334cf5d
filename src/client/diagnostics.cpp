// How a diagnosis becomes an exception.

#include "lease/request_text.hpp"

#include <redlock/detail/diagnosed_handler.hpp>
#include <redlock/detail/with_lock.hpp>
#include <redlock/with_diagnostics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace redlock::detail {

// It may be one of another operation, whose failure was of no consequence for what a handler stands for.
std::exception_ptr exception_of(const error_code& outcome, diagnostics&& told) noexcept try {
    const diagnostics said = std::move(told);
    if (!outcome) return {};
    if (said && said->code == outcome)
        return std::make_exception_ptr(error_with_diagnostics(outcome, said->text));
    return std::make_exception_ptr(boost::system::system_error(outcome));
} catch (...) {
    return std::current_exception(); // there was no memory for it
}

void throw_diagnosed(diagnostics told) { throw error_with_diagnostics(told->code, told->text); }

void throw_lost_under(const lease& held) {
    throw error_with_diagnostics(make_error_code(errc::lease_lost),
                                 fmt::format("the lease of the lock {} was lost while the function of "
                                             "async_with_lock ran",
                                             lock::quoted_key(held.key())));
}

void throw_lost_under(const lease_set& held) {
    constexpr std::size_t most = 8;
    std::string keys;
    for (std::size_t i = 0; i < std::min(most, held.size()); ++i)
        keys += (i == 0 ? "" : ", ") + lock::quoted_key(held[i].key());
    if (held.size() > most) keys += fmt::format(" and {} others", held.size() - most);
    throw error_with_diagnostics(
        make_error_code(errc::lease_lost),
        fmt::format("the lease of one of the locks {} was lost while the function of async_with_lock ran",
                    keys));
}

} // namespace redlock::detail
