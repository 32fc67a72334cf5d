#pragma once

#include <redlock/detail/diagnostics.hpp>

#include <boost/asio/associator.hpp>
#include <boost/system/error_code.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace redlock::detail {

/// Null for success. An `error_with_diagnostics` when the diagnosis is one of this very error.
std::exception_ptr exception_of(const boost::system::error_code& outcome, diagnostics&& told) noexcept;
/// Throws what was told, which is not null.
[[noreturn]] void throw_diagnosed(diagnostics told);

/// Takes an error code and hands an exception on to the handler it stands for.
template <class Handler>
class diagnosed_handler {
public:
    explicit diagnosed_handler(Handler handler) : handler_(std::move(handler)) {}

    const Handler& inner() const noexcept { return handler_; }
    diagnostics* place_of_diagnostics() const noexcept { return &told_; }

    template <class... Results>
    void operator()(const boost::system::error_code& outcome, Results&&... results) {
        std::move(handler_)(exception_of(outcome, std::move(told_)), std::forward<Results>(results)...);
    }

private:
    Handler handler_;
    mutable diagnostics told_; ///< whoever completes the operation has no more than a look at its handler
};

/// The handler of a coroutine, which throws what it finds at `place` when it goes on: in its own frame.
template <class Handler>
class awaiting_handler {
public:
    awaiting_handler(Handler&& handler, diagnostics& place) : handler_(std::move(handler)), place_(&place) {}

    const Handler& inner() const noexcept { return handler_; }
    diagnostics* place_of_diagnostics() const noexcept { return place_; }

    template <class... Results>
    void operator()(Results&&... results) {
        std::move(handler_)(std::forward<Results>(results)...);
    }

private:
    Handler handler_;
    diagnostics* place_;
};

/// Leads to what is associated with the handler inside of a wrapper.
template <template <class, class> class Associator, class Wrapper, class Handler, class Default>
struct inner_associator : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(const Wrapper& wrapper) noexcept {
        return Associator<Handler, Default>::get(wrapper.inner());
    }
    static auto get(const Wrapper& wrapper, const Default& otherwise) noexcept
        -> decltype(Associator<Handler, Default>::get(wrapper.inner(), otherwise)) {
        return Associator<Handler, Default>::get(wrapper.inner(), otherwise);
    }
};

} // namespace redlock::detail

/// @cond
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, redlock::detail::diagnosed_handler<Handler>, Default>
    : redlock::detail::inner_associator<Associator, redlock::detail::diagnosed_handler<Handler>, Handler,
                                        Default> {};

template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, redlock::detail::awaiting_handler<Handler>, Default>
    : redlock::detail::inner_associator<Associator, redlock::detail::awaiting_handler<Handler>, Handler,
                                        Default> {};
/// @endcond
