#include "engines/etcd/line/joint_calls.hpp"

#include "engines/etcd/line/line.hpp"

namespace redlock::etcd {

void joint_calls::submit() {
    for (auto* const waiting : {&removals_, &writes_})
        while (!waiting->empty())
            line_.submit(joint_call::of_first(*waiting, *this));
}

void joint_calls::submit_each(turn::live_list<joint_part>& parts) {
    while (!parts.empty()) {
        turn::live_list<joint_part> one;
        joint_part& first = parts.front();
        parts.pop_front();
        one.push_back(first);
        line_.submit(joint_call::of_first(one, *this));
    }
}

void joint_calls::abandon() noexcept {
    for (auto* const waiting : {&removals_, &writes_})
        while (!waiting->empty())
            delete &waiting->front();
}

} // namespace redlock::etcd
