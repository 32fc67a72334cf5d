#pragma once

#include "engines/etcd/messages/ranges.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace redlock::etcd::messages {

/// What must hold of a key, or of each in a range. Of a key that does not exist all numbers are 0, and no
/// value compares.
struct comparison {
    enum class relation : std::uint8_t { equal = 0, greater = 1, less = 2, not_equal = 3 };
    enum class target : std::uint8_t { version = 0, created = 1, modified = 2, value = 3, lease = 4 };

    std::string key{}; ///< not empty
    target what = target::version;
    relation how = relation::equal;
    std::int64_t number = 0; ///< for all but `target::value`
    std::string value{};     ///< for that
    std::string range_end{};
};

/// A vector of something that may contain vectors of its kind. What makes and destroys one is not constexpr,
/// or compilers may want it before they know how large the elements are.
template <class Part>
struct parts : std::vector<Part> {
    parts() noexcept {}
    parts(std::initializer_list<Part> all) : std::vector<Part>(all) {}
    parts(const parts& other) : std::vector<Part>(other) {}
    parts(parts&& other) noexcept : std::vector<Part>(std::move(other)) {}
    parts& operator=(const parts& other) {
        std::vector<Part>::operator=(other);
        return *this;
    }
    parts& operator=(parts&& other) noexcept {
        std::vector<Part>::operator=(std::move(other));
        return *this;
    }
    ~parts() {}
};

struct operation;
/// One set of operations or the other, at once. One within another is not empty.
struct transaction_request {
    std::vector<comparison> when{}; ///< all of these hold
    parts<operation> then{};
    parts<operation> otherwise{};
};
struct operation {
    std::variant<range_request, put_request, delete_request, transaction_request> what{};
};

struct operation_result;
struct transaction_result {
    bool succeeded = false;            ///< `then` was carried out, not `otherwise`
    parts<operation_result> results{}; ///< of each operation in its order

    bool operator==(const transaction_result&) const;
};
struct operation_result {
    /// Nothing where the server said something that is not known here.
    std::variant<std::monostate, range_result, put_result, delete_result, transaction_result> what{};

    bool operator==(const operation_result&) const = default;
};
inline bool transaction_result::operator==(const transaction_result& other) const {
    return succeeded == other.succeeded && results == other.results;
}

/// As of other requests and replies (`ranges.hpp`). A reply may have `deepest_transaction` transactions in
/// each other.
void append(std::string& to, const transaction_request& m);
fault read(std::string_view bytes, reply<transaction_result>& into);

} // namespace redlock::etcd::messages
