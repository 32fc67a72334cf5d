#pragma once

#include <stdexcept>

namespace bench {

/// Ctrl-C or a request to end: unwinds the program, which takes the servers and their folders with it.
class interrupted : public std::runtime_error {
public:
    interrupted() : std::runtime_error("interrupted") {}
};

/// From here on SIGINT, SIGTERM and SIGHUP only leave a note for `throw_if_interrupted`.
void heed_interruption();

void throw_if_interrupted();

} // namespace bench
