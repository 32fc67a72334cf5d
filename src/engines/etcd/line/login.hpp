#pragma once

#include "engines/etcd/line/call.hpp"

#include <redlock/config.hpp>

#include <string>
#include <string_view>

namespace redlock::etcd {

/// Told how a log-in came out. In a turn.
class login_listener {
public:
    /// The token that calls go with; empty where the server knows no users.
    virtual void logged_in(std::string token) noexcept = 0;
    virtual void not_logged_in(const failure& why) noexcept = 0;

protected:
    ~login_listener() = default;
};

/// Asks for a token for a user. The server takes as long as its hash of passwords is made to take.
class login final : public call {
public:
    login(const credentials& who, core::nanoseconds patience, login_listener& told);

    void answered(std::string_view response, core::instant sent_at) noexcept override;
    void failed(const failure& why) noexcept override;

private:
    login_listener& told_;
    const std::string password_; ///< to find in words that are to be shown
};

} // namespace redlock::etcd
