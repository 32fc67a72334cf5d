#include "resp/command_batch.hpp"

#include "resp/command.hpp"

#include <algorithm>

namespace redlock::resp {
namespace {

constexpr std::size_t usual_batch = std::size_t{512} * 1024;

} // namespace

std::string_view command_batch::append(std::span<const std::string_view> args) {
    const std::size_t most = most_bytes_of(args);
    if (room_ < most) add_chunk(most);
    char* const begin = end_;
    end_ = write_command(begin, args);
    const auto size = static_cast<std::size_t>(end_ - begin);
    room_ -= size;
    return {begin, size};
}

void command_batch::add_chunk(std::size_t least) {
    const std::size_t size = std::max(least, usual_batch);
    // One byte more, so that what stands in two chunks never looks as if there were no gap.
    chunks_.push_back({std::unique_ptr<char[]>(new char[size + 1]), size});
    end_ = chunks_.back().bytes.get();
    room_ = size;
}

void command_batch::clear() noexcept {
    if (chunks_.empty()) return;
    const bool usual = chunks_.front().size == usual_batch;
    chunks_.resize(usual ? 1 : 0);
    end_ = usual ? chunks_.front().bytes.get() : nullptr;
    room_ = usual ? usual_batch : 0;
}

} // namespace redlock::resp
