#include "counter_file.hpp"

#include <fstream>
#include <stdexcept>

namespace demo {

std::uint64_t counter_file::read() const {
    std::uint64_t number = 0;
    if (!(std::ifstream(path_) >> number)) throw std::runtime_error("no number in " + path_.string());
    return number;
}

void counter_file::write(std::uint64_t number) const {
    std::ofstream file(path_);
    if (!(file << number << '\n').flush()) throw std::runtime_error("cannot write " + path_.string());
}

} // namespace demo
