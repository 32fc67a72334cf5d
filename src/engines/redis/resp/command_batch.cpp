#include "engines/redis/resp/command_batch.hpp"

#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <utility>

namespace redlock::resp {
namespace {

constexpr std::size_t usual_batch = std::size_t{512} * 1024;

} // namespace

std::string_view command_batch::append(std::span<const std::string_view> args) {
    make_room(most_bytes_of(args));
    return written_to(write_command(end_, args));
}

std::string_view command_batch::append(const command_pattern& pattern, std::string_view first,
                                       std::string_view second) {
    make_room(pattern.most_bytes_with(first, second));
    return written_to(pattern.write_with(end_, first, second));
}

std::string_view command_batch::written_to(char* end) noexcept {
    char* const begin = std::exchange(end_, end);
    const auto size = static_cast<std::size_t>(end - begin);
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
