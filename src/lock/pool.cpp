#include <redlock/detail/pool.hpp>

#include <array>
#include <utility>

namespace redlock::detail {

namespace {

constexpr std::size_t step = 64;
constexpr std::size_t largest = 1024;
constexpr std::size_t kept_bytes = std::size_t{1} << 20; // for each size

/// Blocks of one size that nobody uses.
class shelf {
public:
    explicit shelf(std::size_t block_size) noexcept : room_(kept_bytes / block_size) {}
    shelf(const shelf&) = delete;
    shelf& operator=(const shelf&) = delete;
    ~shelf() {
        while (top_)
            ::operator delete(take(), std::align_val_t{64});
    }

    void* take() noexcept {
        block* const taken = top_;
        if (taken) {
            top_ = taken->next;
            ++room_;
        }
        return taken;
    }

    bool give_back(void* memory) noexcept {
        if (room_ == 0) return false;
        top_ = ::new (memory) block{top_};
        --room_;
        return true;
    }

private:
    struct block {
        block* next;
    };

    std::size_t room_; ///< for further blocks
    block* top_ = nullptr;
};

template <std::size_t... Index>
std::array<shelf, sizeof...(Index)> make_shelves(std::index_sequence<Index...>) {
    return {shelf((Index + 1) * step)...};
}

struct shelves {
    std::array<shelf, largest / step> by_size = make_shelves(std::make_index_sequence<largest / step>());
    ~shelves() { gone = true; }
    /// Objects may still be destroyed on a thread whose thread-local variables have been.
    static thread_local bool gone;
};

thread_local bool shelves::gone = false;

shelf* shelf_for(std::size_t size) noexcept {
    if (size == 0 || size > largest || shelves::gone) return nullptr;
    static thread_local shelves here;
    return &here.by_size[(size - 1) / step];
}

std::size_t rounded(std::size_t size) noexcept { return (size + step - 1) / step * step; }

} // namespace

void* take_block(std::size_t size) {
    if (shelf* from = shelf_for(size))
        if (void* kept = from->take()) return kept;
    return ::operator new(rounded(size), std::align_val_t{64});
}

void give_back_block(void* block, std::size_t size) noexcept {
    shelf* to = shelf_for(size);
    if (!to || !to->give_back(block)) ::operator delete(block, std::align_val_t{64});
}

} // namespace redlock::detail
