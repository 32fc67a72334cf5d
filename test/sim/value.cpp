#include "sim/value.hpp"

namespace redlock::sim {

void encode_size(std::string& out, char type, std::size_t size) {
    out += type;
    out += std::to_string(size);
    out += "\r\n";
}

void encode_text(std::string& out, std::string_view text) {
    encode_size(out, '$', text.size());
    out += text;
    out += "\r\n";
}

void encode(std::string& out, const value& v, unsigned protocol) {
    switch (v.is) {
    case value::kind::nil:
        out += protocol == 3 ? "_\r\n" : "$-1\r\n";
        return;
    case value::kind::status:
        out += "+" + v.words + "\r\n";
        return;
    case value::kind::error:
        out += "-" + v.words + "\r\n";
        return;
    case value::kind::integer:
        out += ":" + std::to_string(v.number) + "\r\n";
        return;
    case value::kind::text:
        return encode_text(out, v.words);
    case value::kind::array:
        encode_size(out, '*', v.items.size());
        for (const value& item : v.items)
            encode(out, item, protocol);
    }
}

} // namespace redlock::sim
