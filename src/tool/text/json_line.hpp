#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace redlock::tool {

/// The value as JSON on one line, with the line end. It is valid whatever bytes its texts have: those that
/// are no UTF-8 become \xNN, a backslash and three more characters. What would steer a terminal is escaped as
/// JSON does it, \u009b.
std::string json_line(const boost::json::value& value);

} // namespace redlock::tool
