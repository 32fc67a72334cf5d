#include "chaos/history.hpp"

#include "support/file_descriptor.hpp"
#include "support/system_error.hpp"

#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>

namespace redlock::chaos {

using test::throw_errno;

std::int64_t now() noexcept {
    timespec t{};
    ::clock_gettime(CLOCK_BOOTTIME, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

bool resource::write(std::uint64_t token) noexcept {
    for (auto seen = highest.load(); token >= seen;)
        if (highest.compare_exchange_weak(seen, token)) {
            ++accepted;
            return true;
        }
    return false;
}

history::history(const std::string& path, std::size_t clients, std::size_t holds_of_each)
    : clients_(clients),
      capacity_(holds_of_each),
      size_(keys * sizeof(resource) + clients * (sizeof(page) + holds_of_each * sizeof(hold))) {
    const test::file_descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(size_)) != 0) throw_errno(path.c_str());
    void* const mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (mapped == MAP_FAILED) throw_errno("mmap");
    memory_ = static_cast<std::byte*>(mapped);
}

history::~history() { ::munmap(memory_, size_); }

resource& history::resource_of(std::size_t key) const noexcept {
    return reinterpret_cast<resource*>(memory_)[key];
}

page& history::page_of(std::size_t client) const noexcept {
    return *reinterpret_cast<page*>(memory_ + keys * sizeof(resource) + client * stride());
}

std::uint64_t history::times(deed what) const noexcept {
    std::uint64_t all = 0;
    for (std::size_t client = 0; client < clients_; ++client)
        all += page_of(client).done[static_cast<std::size_t>(what)];
    return all;
}

hold& history::hold_of(std::size_t client, std::size_t index) const noexcept {
    return reinterpret_cast<hold*>(&page_of(client) + 1)[index];
}

hold* history::begin_hold(std::size_t client) const noexcept {
    const std::size_t index = page_of(client).holds.fetch_add(1);
    if (index < capacity_) return &hold_of(client, index);
    --page_of(client).holds;
    return nullptr;
}

} // namespace redlock::chaos
