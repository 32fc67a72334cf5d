#include "engines/sql/dialect.hpp"

#include "core/printable.hpp"
#include "engines/sql/holder_label.hpp"

#include <algorithm>
#include <chrono>

namespace redlock::sql {

namespace {

constexpr std::size_t longest_token = 64;

} // namespace

void dialect::read_look(const answer::row& row, node_key_report& told) const {
    const auto left = number_in(cell_of(row, 1));
    if (cell_of(row, 0) && left && *left > 0) {
        told.value = core::printable(*cell_of(row, 0), longest_token);
        told.remaining = std::min(std::chrono::milliseconds(*left), longest_row_life);
        told.label = label_beside(*cell_of(row, 0), cell_of(row, 4));
    }
    if (const auto fence = number_in(cell_of(row, 2)); fence && *fence > 0)
        told.fence = static_cast<std::uint64_t>(*fence);
    if (const auto waiting = number_in(cell_of(row, 3)); waiting && *waiting >= 0)
        told.listeners = static_cast<std::uint64_t>(*waiting);
}

} // namespace redlock::sql
