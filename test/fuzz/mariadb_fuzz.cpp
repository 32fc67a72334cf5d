#include "core/printable.hpp"
#include "engines/sql/fence.hpp"
#include "engines/sql/key_pages.hpp"
#include "engines/sql/mariadb/dialect.hpp"
#include "engines/sql/mariadb/session/handshake.hpp"
#include "engines/sql/session/batch.hpp"

#include <redlock/key_report.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using namespace redlock;
using mariadb::handshake;
using sql::answer;
using sql::reply;
using sql::request;

constexpr std::chrono::hours longest_age{24 * 365 * 100};
constexpr std::size_t longest_words = 2000;
constexpr std::size_t longest_error = 200;
constexpr std::size_t most_answers = 64; ///< of one transaction

void require(bool holds) {
    if (!holds) std::abort();
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Up to the next of these, which is taken away with it.
std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
}

struct asked final : request {
    using request::request;
    void answered(const reply&) noexcept override {}
};

/// Two of each kind, as a client has drawn them.
struct requests {
    requests() {
        std::uint64_t draws = 0;
        for (const auto kind :
             {request::kind::release, request::kind::renew, request::kind::advance, request::kind::acquire})
            for (const char* key : {"one", "two"}) {
                const core::lock_token drawn(core::client_name(1), 0, ++draws);
                auto c =
                    std::make_shared<const sql::claim>("", engine::key_name(detail::key_text(key)), drawn);
                all.push_back(std::make_unique<asked>(kind, std::move(c), std::chrono::milliseconds(1000)));
            }
    }
    std::vector<std::unique_ptr<asked>> all;
};

/// `@` stands for NULL, and `#6` for the token of request 6, which nobody could guess.
answer::cell cell_in(std::string_view text, const requests& known) {
    if (text == "@") return std::nullopt;
    if (text.size() == 2 && text[0] == '#' && text[1] >= '0' && text[1] <= '7')
        return std::string(known.all[static_cast<std::size_t>(text[1] - '0')]->of->token());
    return std::string(text);
}

/// Lines of rows, tabulators between cells; a line `!code words` is an error, as the connection tells it.
answer answer_in(std::string_view text, const requests& known) {
    answer a;
    while (!text.empty() && a.rows.size() <= sql::key_pages::page_size) {
        std::string_view line = take_until(text, '\n');
        if (line.starts_with('!')) {
            line.remove_prefix(1);
            unsigned code = 0;
            std::from_chars(line.data(), line.data() + line.size(), code);
            take_until(line, ' ');
            return {.rows = {},
                    .error_code = std::to_string(code),
                    .error_text = core::printable(line, longest_error)};
        }
        answer::row row;
        do {
            row.push_back(cell_in(take_until(line, '\t'), known));
        } while (!line.empty());
        a.rows.push_back(std::move(row));
    }
    return a;
}

/// Form feeds between them.
std::vector<answer> answers_in(std::string_view text, const requests& known) {
    std::vector<answer> all;
    while (!text.empty() && all.size() < most_answers) {
        all.push_back(answer_in(take_until(text, '\f'), known));
        if (all.back().failed()) break;
    }
    return all;
}

void look_at(const handshake& made, const handshake::step& last) {
    const sql::server& found = made.found();
    require(is_printable(found.version) && found.version.size() <= longest_words);
    require(found.facts.uptime.count() >= 0 && found.facts.uptime <= longest_age);
    require(found.facts.on_timeline.count() >= 0 && found.facts.on_timeline <= longest_age);
    if (last.what == handshake::step::kind::refuse) {
        require(last.why != errc{} && !last.text.empty());
        require(is_printable(last.text) && last.text.size() <= longest_words);
    }
    if (last.what == handshake::step::kind::done) {
        require(sql::fence_base(found.facts.timeline).has_value());
        require(!found.is_standby);
    }
}

/// Vertical tabulators between transactions.
void read_as_handshake(std::string_view text, const requests& known, bool had_another) {
    const sql::server other{.process = 7, .session = "redlock:before"};
    handshake made(had_another ? std::optional(other) : std::nullopt, "redlock:new");
    handshake::step step = made.begin(std::chrono::seconds(1));
    while (!text.empty() && step.what != handshake::step::kind::refuse &&
           step.what != handshake::step::kind::done) {
        require(!step.next.empty());
        step = made.answered(answers_in(take_until(text, '\v'), known));
        look_at(made, step);
    }
}

bool has_token(const std::vector<answer>& all, std::string_view token) {
    return std::ranges::any_of(all, [&](const answer& a) {
        return std::ranges::any_of(a.rows, [&](const answer::row& r) { return sql::cell_of(r, 1) == token; });
    });
}

/// Each is answered once, and only who is named has a key.
void read_as_batch(std::string_view text, const requests& known) {
    const std::vector<answer> all = answers_in(text, known);
    sql::batch sent;
    for (const auto& r : known.all)
        sent.add(*r);
    std::vector<const request*> told;
    for (const auto& [r, what] : sent.read(all, core::instant{}, mariadb::meaning_of)) {
        told.push_back(r);
        require(what.ends_in.count() >= 0 && what.ends_in <= sql::longest_row_life);
        if (r->what != request::kind::acquire) continue;
        require((what.what != reply::kind::done) || has_token(all, r->of->token()));
        require(what.what != reply::kind::refused || what.ends_in.count() > 0);
    }
    require(sent.empty() && sent.awaited().size() <= 2);
    std::ranges::sort(told);
    require(told.size() == known.all.size() && std::ranges::adjacent_find(told) == told.end());
}

void read_as_list(std::string_view text, const requests& known) {
    constexpr std::size_t most = 5;
    sql::key_pages pages("k", most);
    while (!text.empty() && !pages.is_over())
        if (pages.take(answer_in(take_until(text, '\v'), known)) != errc{}) break;
    const key_list found = std::move(pages).result();
    require(found.keys.size() <= most && std::ranges::is_sorted(found.keys));
    require(std::ranges::all_of(found.keys, [](const std::string& key) { return key.starts_with('k'); }));
}

struct no_entropy final : core::entropy {
    void fill(std::span<std::uint8_t> out) override { std::ranges::fill(out, std::uint8_t{}); }
};

void read_as_look(std::string_view text, const requests& known) {
    no_entropy none;
    const mariadb::dialect speaks(mariadb::parse_address("mysql://host/locks"), none);
    for (const answer::row& row : answer_in(text, known).rows) {
        node_key_report told;
        speaks.read_look(row, told);
        require(told.value.has_value() == told.remaining.has_value());
        require(is_printable(told.value.value_or("")) && is_printable(told.label));
        require(!told.remaining || (told.remaining->count() > 0 && *told.remaining <= sql::longest_row_life));
    }
}

/// One that is accepted keeps its limits, and its name has no password and leads to the same places.
void read_as_address(std::string_view uri) {
    try {
        const mariadb::address found = mariadb::parse_address(std::string(uri));
        require(!found.places.empty() && found.places.size() <= 16 && !found.database.empty());
        require(is_printable(found.name) && found.name.starts_with("mysql://"));
        require(found.certificate.empty() == found.key.empty());
        require(found.tls < mariadb::tls_mode::verify_ca || !found.authorities.empty());
    } catch (const std::system_error&) {
        return;
    }
}

} // namespace

/// Reads the input as an address, if it begins as one, or else as what its first byte says that a server has
/// answered to.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input(reinterpret_cast<const char*>(data), size);
    if (input.starts_with("mysql") || input.starts_with("mariadb")) {
        read_as_address(input);
        return 0;
    }
    if (input.empty()) return 0;
    const char what = input.front();
    input.remove_prefix(1);
    const requests known;
    if (what == 'h' || what == 'a') read_as_handshake(input, known, what == 'a');
    if (what == 'b') read_as_batch(input, known);
    if (what == 'l') read_as_list(input, known);
    if (what == 'k') read_as_look(input, known);
    return 0;
}
