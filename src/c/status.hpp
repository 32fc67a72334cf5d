#pragma once

#include <redlock/redlock.h>

#include <boost/system/error_code.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace redlock::c {

/// An argument that the C interface itself refuses.
class invalid_argument : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// The status that stands for an error.
redlock_status status_of(const boost::system::error_code& error) noexcept;

/// Of the exception that is being handled. Its text is the last error of this thread from here on.
redlock_status tell_exception() noexcept;

/// Calls `body()`; what it throws becomes a status and the last error.
template <class Body>
redlock_status guarded(const Body& body) noexcept {
    try {
        body();
        return REDLOCK_OK;
    } catch (...) {
        return tell_exception();
    }
}

/// The pointer, which is not null. Throws an `invalid_argument` that names it otherwise.
template <class T>
T* given(T* pointer, std::string_view name) {
    if (!pointer) throw invalid_argument(std::string(name) + " is null");
    return pointer;
}

} // namespace redlock::c
