#pragma once

#include <boost/asio/associator.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <string>

namespace redlock::detail {

/// A failure with a sentence that says more of it than its code: which node, which key, which limit.
struct diagnosis {
    boost::system::error_code code;
    std::string text;
};

/// One word, for it goes through completions and the frames of coroutines. Null where there is nothing to
/// say.
using diagnostics = std::unique_ptr<const diagnosis>;

/// Where a handler wants the diagnosis of its failure, before it is called; null when it does not want any.
/// What wraps a handler leads to the place of that one, as to its executor.
template <class Handler, class Default = diagnostics*>
struct associated_diagnostics {
    using type = diagnostics*;

    static diagnostics* get(const Handler& handler, const Default& otherwise = nullptr) noexcept {
        using forwarder = boost::asio::associator<associated_diagnostics, Handler, Default>;
        if constexpr (requires { handler.place_of_diagnostics(); })
            return handler.place_of_diagnostics();
        else if constexpr (requires { forwarder::get(handler, otherwise); })
            return forwarder::get(handler, otherwise);
        else
            return otherwise;
    }
};

} // namespace redlock::detail
