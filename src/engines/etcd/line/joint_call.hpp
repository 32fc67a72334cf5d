#pragma once

#include "engines/etcd/line/call.hpp"
#include "engines/etcd/messages/joint_transaction.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::etcd {

class joint_calls;

/// Something that is asked of the store, and may leave in one request with others like it. Owns itself, as a
/// call does: until it was answered it belongs to whom it was given to.
class joint_part : public turn::list_hook, public detail::pooled {
public:
    /// `request`: the message of one that is asked for by itself.
    joint_part(messages::operation_kind kind, std::string request)
        : kind_(kind), request_(std::move(request)) {}
    joint_part(const joint_part&) = delete;
    joint_part& operator=(const joint_part&) = delete;
    virtual ~joint_part() = default;

    /// As those of a call.
    virtual void answered(std::string_view response, core::instant sent_at) noexcept = 0;
    virtual void failed(const failure& why) noexcept = 0;
    virtual bool outlasts_connection() const noexcept { return false; }
    /// What it is about. Whatever is written by one request has one revision: two parts that are about the
    /// same never share one.
    virtual std::string_view subject() const noexcept = 0;

    messages::operation_kind kind() const noexcept { return kind_; }
    const std::string& request() const noexcept { return request_; }

private:
    const messages::operation_kind kind_;
    const std::string request_;
};

/// A request for one or more of them: a transaction of those that they are. Where the server refuses it as a
/// whole each is asked for by itself, for it may be one of them that is refused.
class joint_call final : public call {
public:
    /// Of the first of `waiting`, one at least.
    static joint_call& of_first(turn::live_list<joint_part>& waiting, joint_calls& by);
    ~joint_call() override;

    void answered(std::string_view response, core::instant sent_at) noexcept override;
    void failed(const failure& why) noexcept override;
    bool outlasts_connection() const noexcept override;

private:
    joint_call(const method& m, std::string_view request, turn::live_list<joint_part>& parts,
               joint_calls& by);
    void fail_all(const failure& why) noexcept;

    joint_calls& by_;
    turn::live_list<joint_part> parts_;
};

} // namespace redlock::etcd
