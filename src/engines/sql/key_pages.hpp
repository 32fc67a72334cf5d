#pragma once

#include "engines/sql/answer.hpp"

#include <redlock/error.hpp>
#include <redlock/key_list.hpp>

#include <cstddef>
#include <string>

namespace redlock::sql {

/// Goes through the rows of a table whose keys begin in one way, a page behind the other, for those that are
/// held: says which page to ask for, and is told the answer. Asks nobody.
class key_pages {
public:
    /// Most rows of a page.
    static constexpr std::size_t page_size = 1000;
    /// Then it gives up.
    static constexpr unsigned most_pages = 1000;
    /// The longest key that a row has as it is; of a longer one it has a hash.
    static constexpr std::size_t longest_key = 2048;

    /// For at most `most` keys.
    key_pages(std::string beginning, std::size_t most);

    // The next page: keys from here on and before that, in the order of their bytes.
    const std::string& from() const noexcept { return from_; }
    const std::string& end() const noexcept { return end_; }
    /// No other page is wanted.
    bool is_over() const noexcept { return over_; }

    /// The page asked for: keys in hexadecimal digits, and whether they are held. `errc::protocol_error` for
    /// what is no such page.
    errc take(const answer& page);
    key_list result() && { return std::move(found_); }

private:
    std::string from_;
    const std::string end_;
    const std::size_t most_;
    key_list found_;
    unsigned pages_ = 0;
    bool over_ = false;
};

} // namespace redlock::sql
