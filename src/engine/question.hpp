#pragma once

#include "engine/renewal.hpp"

#include <boost/system/error_code.hpp>

namespace redlock::engine {

/// Told the answer to a question of a user. Once, perhaps from inside `start`.
template <class Report>
class answer_listener {
public:
    /// `more` is null where there is no more to say of a failure.
    virtual void told(const boost::system::error_code& ec, Report&& report,
                      const failure* more = nullptr) noexcept = 0;

protected:
    ~answer_listener() = default;
};

/// The answer is in the error code alone.
struct no_report {};

/// A question of a user to the engine: who has a key, whether a token is the current one.
class question : public errand {
public:
    virtual void start() = 0;
    /// The client begins to close: what waits for anything but answers that are bounded ends now.
    virtual void client_closes() noexcept {}

protected:
    ~question() = default;
};

using question_pointer = errand_pointer<question>;

} // namespace redlock::engine
