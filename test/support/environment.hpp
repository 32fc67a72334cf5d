#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace redlock::test {

/// Sets an environment variable for the programs started meanwhile.
struct environment {
    environment(const char* variable, const std::string& value) : name(variable) {
        if (const char* value_before = std::getenv(variable)) before = value_before;
        ::setenv(name, value.c_str(), 1);
    }
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    ~environment() {
        if (before)
            ::setenv(name, before->c_str(), 1);
        else
            ::unsetenv(name);
    }

    const char* name;
    std::optional<std::string> before;
};

} // namespace redlock::test
