#pragma once

#include <cstdlib>
#include <string>

namespace redlock::test {

/// Sets an environment variable for the programs started meanwhile.
struct environment {
    environment(const char* variable, const std::string& value) : name(variable) {
        ::setenv(name, value.c_str(), 1);
    }
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    ~environment() { ::unsetenv(name); }

    const char* name;
};

} // namespace redlock::test
