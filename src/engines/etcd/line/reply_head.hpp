#pragma once

#include "engines/etcd/line/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// What a server says around the messages of an answer: the header fields of HTTP before them, and those
/// behind.
class reply_head {
public:
    /// In bytes of names and values, with 32 for each (RFC 9113, 6.5.2).
    static constexpr std::size_t longest = std::size_t(16) << 10;

    /// False when there are too many of them.
    bool take(std::string_view name, std::string_view value);
    void clear() noexcept;

    /// Nothing where the server says that all went well; otherwise what it says instead. Whether it is in
    /// doubt depends on that alone.
    std::optional<failure> verdict() const;
    /// The member knows of no leader, so it does nothing.
    bool lacks_leader() const noexcept;
    /// Who asks is not known any more, and whether the server has done nothing for that.
    bool wants_other_token() const noexcept;

private:
    bool says(std::string_view words) const noexcept { return words_.find(words) != words_.npos; }

    std::size_t size_ = 0;
    std::uint16_t http_status_ = 0; ///< 0: none has come
    std::optional<std::uint32_t> status_;
    bool is_grpc_ = false;
    std::string words_; ///< of the server, decoded, not more than are shown
};

/// What a status means. `words` are printable.
errc meaning_of(status_code status, std::string_view words) noexcept;

} // namespace redlock::etcd
