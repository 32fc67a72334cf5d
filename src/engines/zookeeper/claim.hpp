#pragma once

#include "core/lock_token.hpp"
#include "engine/claim.hpp"
#include "engines/zookeeper/rule/statement.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::zookeeper {

/// What one try has on the servers, as far as is known.
struct holding {
    std::string node{};                ///< path of its node; empty while there is none
    std::string mark{};                ///< likewise, of one who reads
    std::int64_t session = 0;          ///< whose node that is
    bool granted = false;              ///< the record names it, or its mark is there
    bool given_back = false;           ///< it is on its way out: whatever confirms it now is void
    std::int32_t version = 0;          ///< of that record
    std::chrono::milliseconds life{};  ///< that stands there
    std::uint64_t fence = 0;           ///< likewise, or the transaction that wrote it
    bool left_to_readers = false;      ///< it became one for reading: the record that it leaves is shared
    std::shared_ptr<statement> says{}; ///< of one who leads
    /// A record that names it may have been written, or may be yet, over this version.
    std::optional<std::int32_t> doubt{};
};

/// One try to have a key. Once it was given back, or nobody knows what became of it, it is never tried again.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key, const core::lock_token& drawn);
    /// Another try to have the same key.
    claim(const claim& before, const core::lock_token& drawn)
        : engine::claim(&before), folder_(before.folder_), token_(drawn) {}

    std::string_view token() const noexcept { return token_.text(); }
    /// Of its key, below the root.
    const std::string& folder() const noexcept { return folder_; }
    /// The engine's own book.
    holding& has() const noexcept { return holding_; }

private:
    const std::string folder_;
    const core::lock_token token_;
    mutable holding holding_;
};

using claim_pointer = std::shared_ptr<const claim>;

/// Of the engine's own: every claim that it is given is one that it has made.
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

} // namespace redlock::zookeeper
