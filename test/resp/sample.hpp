#pragma once

#include <string_view>

namespace redlock::test {

/// One message with every kind of value in it.
inline constexpr std::string_view sample = "|1\r\n+ttl\r\n:3600\r\n"
                                           "*15\r\n"
                                           "+simple\r\n"
                                           "-ERR simple\r\n"
                                           ":-12345\r\n"
                                           "$6\r\nbu\r\nlk\r\n"
                                           "$-1\r\n"
                                           "*-1\r\n"
                                           "_\r\n"
                                           "#t\r\n"
                                           ",-1.5e3\r\n"
                                           "(1234567890123456789012345678901234567890\r\n"
                                           "!8\r\nERR blob\r\n"
                                           "=8\r\ntxt:text\r\n"
                                           "~2\r\n|1\r\n+inner\r\n*1\r\n_\r\n+a\r\n+b\r\n"
                                           "%2\r\n+k\r\n*2\r\n:1\r\n*0\r\n$0\r\n\r\n,inf\r\n"
                                           "*1\r\n*1\r\n*1\r\n#f\r\n";

inline constexpr std::string_view sample_as_text =
    "*[\"simple\" -ERR simple :-12345 \"bu\r\nlk\" _ _ _ #1 ,-0x1.77p+10 "
    "\"1234567890123456789012345678901234567890\" "
    "-ERR blob \"text\" ~[\"a\" \"b\"] %[\"k\" *[:1 *[]] \"\" ,inf] *[*[*[#0]]]]";

} // namespace redlock::test
