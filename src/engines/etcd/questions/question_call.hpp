#pragma once

#include "engine/question.hpp"
#include "engines/etcd/etcd_engine.hpp"
#include "engines/etcd/inquiry.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace redlock::etcd {

template <class Message>
std::string request_of(const Message& m) {
    std::string text;
    append(text, m);
    return text;
}

/// Nothing for a call that failed, or an answer that is none: `why` says which.
template <class Content>
std::optional<messages::reply<Content>> read_reply_of(const result& r, errc& why) {
    messages::reply<Content> found;
    if (r.failed)
        why = r.failed->why;
    else if (read(r.response, found) != messages::fault::none)
        why = errc::protocol_error;
    else
        return found;
    return std::nullopt;
}

/// A question that takes one call after the other, and may be let go of before it was answered.
template <class Report>
class cluster_question : public seam::question, public detail::pooled {
public:
    void let_go() noexcept override { delete this; }

protected:
    cluster_question(etcd_engine& of, seam::answer_listener<Report>& told) : engine_(of), told_(told) {}
    virtual ~cluster_question() {
        if (inquiry_) inquiry_->let_go();
    }

    void ask(const method& m, std::string request, inquiry::handler answered) {
        inquiry_ = new inquiry(m, std::move(request), [this, then = std::move(answered)](const result& r) {
            inquiry_ = nullptr;
            const inquiry::handler last = then; // which may ask the next, or end this
            last(r);
        });
        engine_.line().submit(*inquiry_);
    }
    /// The last statement of whoever calls it.
    void tell(Report&& report) { told_.told({}, std::move(report)); }
    void tell(errc why) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told_as(why)), Report{}, why == errc::lease_lost ? nullptr : more.get());
    }
    /// Likewise, with what the cluster is to blame for.
    void refuse(errc why, const std::string& text) {
        const auto more = engine_.failure_of(why, text);
        told_.told(turn::code_of(why), Report{}, more.get());
    }
    etcd_engine& engine() const noexcept { return engine_; }

private:
    etcd_engine& engine_;
    seam::answer_listener<Report>& told_;
    inquiry* inquiry_ = nullptr;
};

} // namespace redlock::etcd
