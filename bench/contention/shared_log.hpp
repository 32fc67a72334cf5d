#pragma once

#include "scenario.hpp"

#include <atomic>
#include <cstddef>
#include <span>

namespace bench {

/// Memory that processes share with the one that forked them: a page for each to write its holdings to, and
/// the signal to begin.
class shared_log {
public:
    /// Throws std::system_error.
    shared_log(std::size_t processes, std::size_t holdings_of_each);
    shared_log(const shared_log&) = delete;
    shared_log& operator=(const shared_log&) = delete;
    ~shared_log();

    /// What one process writes; nobody reads the rest before the process has ended.
    struct page {
        std::atomic<bool> ready;
        std::atomic<std::size_t> holding; ///< callers that have a key; to be read at any time
        std::size_t count;
        expense spent;
    };
    page& page_of(std::size_t process) noexcept;
    std::span<holding> space_of(std::size_t process) noexcept;
    /// What finds no space is left out.
    void add(std::size_t process, const holding& h) noexcept;

    /// When the contest begins, in nanoseconds of CLOCK_MONOTONIC; 0 as long as not all are ready.
    std::atomic<std::int64_t>& begin() noexcept { return front().begin; }
    /// How often the key was granted, for contenders that tell each other.
    std::atomic<std::uint64_t>& grants() noexcept { return front().grants; }

    std::size_t processes() const noexcept { return processes_; }

private:
    struct head {
        std::atomic<std::int64_t> begin;
        std::atomic<std::uint64_t> grants;
    };

    head& front() noexcept { return *static_cast<head*>(memory_); }
    std::size_t stride() const noexcept;

    std::size_t processes_;
    std::size_t capacity_;
    std::size_t size_ = 0;
    void* memory_ = nullptr;
};

} // namespace bench
