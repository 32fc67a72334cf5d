#pragma once

#include "engines/sql/session/request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {

/// The digits of the bytes, for `UNHEX`.
std::string hexadecimal(std::string_view bytes);
/// The value as a literal of bytes.
std::string literal(std::string_view bytes);
/// The literal of the key as a row has it: of a long one the hash.
std::string key_literal(std::string_view key);

/// What is asked of many keys, as the text of a JSON array: keys in hexadecimal digits, tokens, lives in
/// milliseconds.
std::string wishes_of(const std::vector<sql::request*>& asked);
std::string wishes_of(const std::vector<std::string_view>& keys);

/// Literals with commas between them.
std::string keys_of(const std::vector<sql::request*>& asked);
std::string tokens_of(const std::vector<sql::request*>& asked);

} // namespace redlock::mariadb
