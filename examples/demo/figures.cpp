#include "figures.hpp"

#include <fmt/format.h>

namespace demo {
namespace {

double milliseconds(std::chrono::nanoseconds t) { return static_cast<double>(t.count()) / 1e6; }

} // namespace

std::string table(const figures& f) {
    std::string text = "\n";
    text += fmt::format("  {:<44}{:>10}\n", "grants", f.grants);
    text += fmt::format("  {:<44}{:>10}\n", "lost updates", f.lost_updates());
    text += fmt::format("  {:<44}{:>10.2f} ms\n", "from node failure to next grant",
                        milliseconds(f.node_failure_to_grant));
    text += fmt::format("  {:<44}{:>10.2f} ms\n", "from loss of the majority to stop",
                        milliseconds(f.majority_loss_to_stop));
    text += fmt::format("  {:<44}{:>10} ms\n", "validity left when told to stop", f.validity_at_stop.count());
    return text;
}

} // namespace demo
