#include "engines/etcd/contest/acquire_call.hpp"

#include "engines/etcd/contest/contest.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::etcd {

acquire_call::acquire_call(contest& wanted_by, etcd_engine& by, const stand& s, server_lease_pointer under,
                           bool waits)
    : joint_part(messages::operation_kind::transaction,
                 acquire_request(s, by.value_of(0), under->id(), waits)),
      contest_(&wanted_by),
      engine_(by),
      where_(s),
      under_(std::move(under)) {}

void acquire_call::answered(std::string_view response, core::instant sent_at) noexcept {
    const std::unique_ptr<acquire_call> until_told(this);
    const stand_answer a = read_acquired(response);
    if (a.said.what == verdict::kind::held) where_.name->give_back();
    if (contest_) return contest_->answer(a, sent_at);
    where_.created = a.created;
    if (a.said.what == verdict::kind::first || a.said.what == verdict::kind::behind)
        engine_.give_back(std::move(where_), under_);
    else if (a.said.what == verdict::kind::unknown)
        engine_.bury(std::move(where_), under_);
}

void acquire_call::failed(const failure& why) noexcept {
    const std::unique_ptr<acquire_call> until_told(this);
    stand_answer a{.said = {.what = verdict::kind::failed, .why = why.why}};
    if (why.in_doubt) a.said.what = verdict::kind::unknown;
    if (why.status == status_code::not_found) {
        a.said.what = verdict::kind::lease_gone;
        engine_.keeper().lost(*under_);
    }
    engine_.note_failure(why);
    if (contest_) return contest_->failed(a, why);
    if (why.in_doubt) engine_.bury(std::move(where_), under_);
}

} // namespace redlock::etcd
