#pragma once

#include <redlock/detail/language.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace redlock {

/// What an operation of this library throws where there is more to say of its failure than the error code.
///
/// `code()` is the code that the operation gives, so whoever catches `boost::system::system_error` needs to
/// know of no other type. `what()` is a sentence that names the key, and each node that failed with its
/// reason, or the option and its limit. Text of others in it (keys, the words of a server) is cut to a length
/// and made printable; passwords are never in it. Copying does not throw.
class error_with_diagnostics : public boost::system::system_error {
public:
    /// An error with this sentence. Throws std::bad_alloc.
    error_with_diagnostics(const boost::system::error_code& code, std::string text)
        : system_error(code), text_(std::make_shared<const std::string>(std::move(text))) {}

    /// The sentence.
    const char* what() const noexcept override { return text_->c_str(); }

private:
    std::shared_ptr<const std::string> text_;
};

/// The completion token that `with_diagnostics` makes.
template <class Token>
struct with_diagnostics_t {
    Token token; ///< what it adapts
};

/// Adapts a completion token: where an operation gives an `error_code`, the handler gets a
/// `std::exception_ptr` in its place, null for success, so `void(error_code, T...)` becomes
/// `void(std::exception_ptr, T...)`. It is an `error_with_diagnostics` where there is more to say of the
/// failure than its code, and otherwise, such as for a cancelled operation, a `boost::system::system_error`.
///
/// `with_diagnostics(asio::use_future)` gives a future that throws it, `with_diagnostics(callback)` hands it
/// to a callback, `with_diagnostics(asio::deferred)` makes an operation that can be awaited or started. A
/// coroutine that awaits an operation without naming a token gets such exceptions anyway. An operation that
/// gives an exception already, `client::async_with_lock`, is left as it is.
///
/// Executor, allocator and cancellation slot are those of the handler. The sentence is only put together when
/// an operation fails that was started like this. Thread-safe.
template <class Token>
constexpr with_diagnostics_t<std::decay_t<Token>> with_diagnostics(Token&& token) {
    return {std::forward<Token>(token)};
}

} // namespace redlock
