#pragma once

#include <redlock/client.hpp>

#include <boost/system/error_code.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {

/// Looks all the time, and sees to it that terms and versions never fall.
class follower {
public:
    explicit follower(client& by, std::string name = "key") : by_(&by), name_(std::move(name)) { go_on({}); }
    follower(const follower&) = delete;
    follower& operator=(const follower&) = delete;
    ~follower() { *alive_ = false; }

    const std::vector<leader_info>& told() const noexcept { return told_; }
    const leader_info& last() const { return told_.back(); }
    bool has_fallen() const noexcept { return has_fallen_; }
    boost::system::error_code error() const noexcept { return error_; }
    bool sees(const std::string& value) const {
        return !told_.empty() && told_.back().present && told_.back().value == value;
    }
    bool sees_nobody() const { return !told_.empty() && !told_.back().present; }

private:
    void go_on(leader_mark known) {
        auto told = [this, alive = alive_](boost::system::error_code ec, leader_info info) {
            if (!*alive) return;
            error_ = ec;
            if (ec) return;
            if (info.present) {
                has_fallen_ |= info.mark.term < highest_.term ||
                               (info.mark.term == highest_.term && info.mark.version < highest_.version);
                highest_ = info.mark;
            }
            told_.push_back(info);
            go_on(info.mark);
        };
        by_->async_observe(name_, known, std::move(told));
    }

    client* by_;
    const std::string name_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    std::vector<leader_info> told_;
    leader_mark highest_;
    bool has_fallen_ = false;
    boost::system::error_code error_;
};

} // namespace redlock::test
