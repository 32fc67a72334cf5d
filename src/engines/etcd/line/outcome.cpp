#include "engines/etcd/line/outcome.hpp"

namespace redlock::etcd {

std::optional<failure> outcome_of(ending how, const reply_head& head) {
    switch (how) {
    case ending::in_order:
        return head.verdict();
    case ending::refused:
        return failure{.text = "refused a request before it began with it"};
    case ending::malformed:
        return failure{
            .why = errc::protocol_error, .in_doubt = true, .text = "does not keep to HTTP/2 in an answer"};
    case ending::not_yet:
    case ending::reset:
        break;
    }
    return failure{.in_doubt = true, .text = "broke off an answer"};
}

} // namespace redlock::etcd
