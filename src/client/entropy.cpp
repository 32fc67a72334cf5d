#include "client/entropy.hpp"

#include <cerrno>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <sys/random.h>
#include <system_error>

namespace redlock::lock {

namespace {

void fill(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const ssize_t n = ::getrandom(out.data(), out.size(), 0);
        if (n > 0)
            out = out.subspan(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "getrandom");
    }
}

/// One page of random bytes that the kernel wipes in a child after fork: the child then finds nothing left
/// and fetches its own.
class random_page {
public:
    random_page() {
        void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) return;
        if (::madvise(page, size, MADV_WIPEONFORK) == 0)
            page_ = static_cast<contents*>(page);
        else
            ::munmap(page, size);
    }
    random_page(const random_page&) = delete;
    random_page& operator=(const random_page&) = delete;
    ~random_page() {
        if (page_) ::munmap(page_, size);
    }

    void take(std::span<std::uint8_t> out) {
        if (!page_) return fill(out);
        if (page_->left < out.size()) {
            fill(page_->bytes);
            page_->left = sizeof page_->bytes;
        }
        std::uint8_t* const from = page_->bytes + (page_->left -= out.size());
        std::memcpy(out.data(), from, out.size());
        std::memset(from, 0, out.size());
    }

private:
    static constexpr std::size_t size = 4096;
    struct contents {
        std::size_t left;
        std::uint8_t bytes[size - sizeof(std::size_t)];
    };
    contents* page_ = nullptr; ///< null where the kernel cannot wipe: then nothing is kept
};

class kernel_entropy final : public core::entropy {
public:
    void fill(std::span<std::uint8_t> out) override {
        thread_local random_page page;
        page.take(out);
    }
};

} // namespace

core::entropy& system_entropy() noexcept {
    static kernel_entropy kernel;
    return kernel;
}

} // namespace redlock::lock
