#pragma once

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace redlock::tool {

/// The value as JSON on one line, with the line end. It is valid whatever bytes its texts have: those that
/// are no UTF-8 become \xNN, a backslash and three more characters. What would steer a terminal is escaped as
/// JSON does it, \u009b.
std::string json_line(const boost::json::value& value);

/// null where there is no text.
boost::json::value text_or_null(const std::string& text);

template <class Value>
boost::json::value value_or_null(const std::optional<Value>& value) {
    return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

/// As in RFC 3339, in UTC, with milliseconds.
std::string utc_text(std::chrono::system_clock::time_point time);

} // namespace redlock::tool
