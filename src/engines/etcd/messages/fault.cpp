#include "engines/etcd/messages/fault.hpp"

namespace redlock::etcd::messages {

std::string_view describe(fault f) noexcept {
    switch (f) {
    case fault::none:
        break;
    case fault::malformed:
        return "a message that is no protocol buffer";
    case fault::message_too_long:
        return "a message of more than 4194304 bytes";
    case fault::key_too_long:
        return "a key of more than 16384 bytes";
    case fault::value_too_long:
        return "a value of more than 65536 bytes";
    case fault::token_too_long:
        return "a token of more than 4096 bytes";
    case fault::too_many_elements:
        return "a message with too many elements";
    case fault::too_deep:
        return "transactions more than 4 deep in each other";
    case fault::number_out_of_range:
        return "a number that is out of range";
    case fault::unprintable_token:
        return "a token that cannot stand in a header";
    }
    return {};
}

} // namespace redlock::etcd::messages
