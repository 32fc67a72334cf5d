#include "contention/shared_log.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <system_error>

namespace bench {

namespace {

constexpr std::size_t line = 64;

constexpr std::size_t rounded(std::size_t size) noexcept { return (size + line - 1) / line * line; }

} // namespace

shared_log::shared_log(std::size_t processes, std::size_t holdings_of_each)
    : processes_(processes), capacity_(holdings_of_each) {
    static_assert(sizeof(head) <= line);
    size_ = line + processes_ * stride();
    // Pages that are never written to take no memory.
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
}

shared_log::~shared_log() { munmap(memory_, size_); }

std::size_t shared_log::stride() const noexcept {
    return rounded(sizeof(page)) + rounded(capacity_ * sizeof(holding));
}

shared_log::page& shared_log::page_of(std::size_t process) noexcept {
    return *reinterpret_cast<page*>(static_cast<char*>(memory_) + line + process * stride());
}

std::span<holding> shared_log::space_of(std::size_t process) noexcept {
    return {reinterpret_cast<holding*>(reinterpret_cast<char*>(&page_of(process)) + rounded(sizeof(page))),
            capacity_};
}

void shared_log::add(std::size_t process, const holding& h) noexcept {
    page& p = page_of(process);
    const auto space = space_of(process);
    if (p.count < space.size()) space[p.count++] = h;
}

} // namespace bench
