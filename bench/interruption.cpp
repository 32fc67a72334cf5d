#include "interruption.hpp"

#include <csignal>

namespace bench {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note(int) { noted = 1; }

} // namespace

void heed_interruption() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        std::signal(number, note);
}

void throw_if_interrupted() {
    if (noted != 0) throw interrupted();
}

} // namespace bench
