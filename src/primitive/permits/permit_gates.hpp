#pragma once

#include "primitive/permits/permit_gate.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

namespace redlock::primitive {

/// The gates of one client at which somebody waits.
class permit_gates final : private permit_gate::keeper {
public:
    /// Null when nobody waits for a permit of the key on these terms.
    permit_gate* find(const permit_key& key, const lock_options& options) noexcept;
    permit_gate& open(const std::shared_ptr<lock::lessee>& l, const permit_key& key,
                      const lock_options& options);
    /// The strand will never run again.
    void abandon() noexcept { gates_.clear(); }

private:
    /// Whoever waits at one gate has these in common.
    struct terms {
        std::string key;
        lock_options options;
        bool operator==(const terms& other) const noexcept;
    };
    struct hash_of {
        std::size_t operator()(const terms& t) const noexcept { return std::hash<std::string>()(t.key); }
    };

    void gate_is_idle(permit_gate& gate) noexcept override;

    std::unordered_map<terms, std::unique_ptr<permit_gate>, hash_of> gates_;
};

} // namespace redlock::primitive
