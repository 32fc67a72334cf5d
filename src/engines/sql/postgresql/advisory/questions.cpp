#include "engines/sql/postgresql/advisory/questions.hpp"

#include "core/printable.hpp"

#include <fmt/format.h>

namespace redlock::postgresql::advisory {

namespace {

constexpr std::size_t longest_application = 64;
constexpr std::size_t longest_address = 64;

} // namespace

void read_look(const sql::answer::row& row, node_key_report& told) {
    const auto process = sql::number_in(sql::cell_of(row, 0));
    if (process) {
        const auto began = sql::number_in(sql::cell_of(row, 1));
        told.value =
            began ? fmt::format("process {} of {}", *process, *began) : fmt::format("process {}", *process);
        told.label = core::printable(sql::cell_of(row, 2).value_or(""), longest_application);
        if (const auto& from = sql::cell_of(row, 3); from && !told.label.empty())
            told.label += " at " + core::printable(*from, longest_address);
    }
    if (const auto waiting = sql::number_in(sql::cell_of(row, 4)); waiting && *waiting >= 0)
        told.listeners = static_cast<std::uint64_t>(*waiting);
}

} // namespace redlock::postgresql::advisory
