#include "c/status.hpp"

#include <redlock/error.hpp>
#include <redlock/version.hpp>

#include <boost/system/system_error.hpp>

#include <new>
#include <string>
#include <system_error>

namespace redlock::c {

namespace {

static_assert(static_cast<int>(errc::held) == REDLOCK_HELD);
static_assert(static_cast<int>(errc::closed) == REDLOCK_CLOSED);
static_assert(static_cast<int>(errc::duplicate_node) == REDLOCK_DUPLICATE_NODE);
static_assert(static_cast<int>(errc::protocol_error) == REDLOCK_PROTOCOL_ERROR);
static_assert(static_cast<int>(errc::wrong_type) == REDLOCK_WRONG_TYPE);
static_assert(static_cast<int>(errc::server_error) == REDLOCK_SERVER_ERROR);
static_assert(static_cast<int>(errc::tls_failed) == REDLOCK_TLS_FAILED);

std::string& last_error() {
    thread_local std::string text;
    return text;
}

redlock_status tell(redlock_status status, const char* text) noexcept {
    try {
        last_error() = text;
    } catch (const std::bad_alloc&) {
        last_error().clear();
    }
    return status;
}

} // namespace

redlock_status status_of(const boost::system::error_code& error) noexcept {
    if (error.category() == error_category()) return static_cast<redlock_status>(error.value());
    if (error == boost::system::errc::operation_canceled) return REDLOCK_CANCELLED;
    if (error == boost::system::errc::resource_deadlock_would_occur) return REDLOCK_WOULD_DEADLOCK;
    if (error == boost::system::errc::not_enough_memory) return REDLOCK_NO_MEMORY;
    return REDLOCK_SYSTEM_ERROR;
}

redlock_status tell_exception() noexcept {
    try {
        throw;
    } catch (const invalid_argument& e) {
        return tell(REDLOCK_INVALID_ARGUMENT, e.what());
    } catch (const std::bad_alloc&) {
        return tell(REDLOCK_NO_MEMORY, "out of memory");
    } catch (const boost::system::system_error& e) {
        return tell(status_of(e.code()), e.what());
    } catch (const std::system_error& e) {
        return tell(status_of(e.code()), e.what());
    } catch (const std::exception& e) {
        return tell(REDLOCK_SYSTEM_ERROR, e.what());
    }
}

} // namespace redlock::c

const char* redlock_version() { return redlock::version(); }

const char* redlock_last_error() { return redlock::c::last_error().c_str(); }
