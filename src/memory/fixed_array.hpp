#pragma once

#include <redlock/detail/pool.hpp>

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace redlock::memory {

/// Elements that stay where they are: as many as it was made for at most, in memory of the pool.
template <class T>
class fixed_array {
    using allocator = detail::pool_allocator<T>;
    using traits = std::allocator_traits<allocator>;

public:
    fixed_array() = default;
    fixed_array(const fixed_array&) = delete;
    fixed_array& operator=(const fixed_array&) = delete;
    ~fixed_array() { clear(); }

    /// Room for so many, which is taken once. Throws std::bad_alloc.
    void reserve(std::size_t room) {
        assert(!first_ && room > 0);
        allocator memory;
        first_ = traits::allocate(memory, room);
        room_ = room;
    }
    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments) {
        assert(size_ < room_);
        T* const made = std::construct_at(first_ + size_, std::forward<Arguments>(arguments)...);
        ++size_;
        return *made;
    }
    /// With its room.
    void clear() noexcept {
        while (size_ > 0)
            std::destroy_at(first_ + --size_);
        allocator memory;
        if (first_) traits::deallocate(memory, std::exchange(first_, nullptr), room_);
    }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* begin() noexcept { return first_; }
    T* end() noexcept { return first_ + size_; }
    T& operator[](std::size_t index) noexcept {
        assert(index < size_);
        return first_[index];
    }
    T& back() noexcept { return (*this)[size_ - 1]; }

private:
    T* first_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

} // namespace redlock::memory
