#include "engines/redis/resp/fault.hpp"

namespace redlock::resp {

std::string_view describe(verdict fault) noexcept {
    switch (fault) {
    case verdict::complete:
    case verdict::incomplete:
        break;
    case verdict::unknown_type:
        return "a byte that begins no value";
    case verdict::bad_line_end:
        return "a line that does not end in CR LF";
    case verdict::bad_integer:
        return "an integer that is not one or needs more than 64 bits";
    case verdict::bad_length:
        return "a length that is not a number of 0 or more";
    case verdict::bad_real:
        return "a real number that is not one";
    case verdict::bad_big_number:
        return "a big number that is not one";
    case verdict::bad_boolean:
        return "a boolean other than t and f";
    case verdict::bad_null:
        return "a null with something in it";
    case verdict::bad_verbatim:
        return "a verbatim string without its format of three letters and a colon";
    case verdict::bad_text_end:
        return "a string that does not end in CR LF where its length says";
    case verdict::streamed:
        return "a streamed value, which is not supported";
    case verdict::nested_push:
        return "a push inside another value";
    case verdict::too_deep:
        return "aggregates nested too deep";
    case verdict::too_many_elements:
        return "too many elements in one message";
    case verdict::line_too_long:
        return "a line with too many bytes";
    case verdict::message_too_long:
        return "a message of too many bytes";
    }
    return {};
}

} // namespace redlock::resp
