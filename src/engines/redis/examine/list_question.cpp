// Which locks there are.

#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/examine/key_search.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace redlock::redis {

namespace {

// A server answers nobody else meanwhile.
constexpr std::string_view keys_of_one_look = "1000";
constexpr unsigned most_looks = 1000; ///< at one node
constexpr unsigned most_layouts = 3;  ///< of a cluster, each of which is gone through from the beginning
constexpr std::size_t longest_cursor = 20;
constexpr std::size_t values_at_once = 100;     ///< of a cluster
constexpr std::size_t most_candidates = 60'000; ///< of a look; servers give about what they are asked for

/// Goes through the keys of all nodes, of each one look behind the other: a part of its keys, then the values
/// of those that may be locks. The servers of a cluster come one after another, from the first again
/// when slots have gone from one to another meanwhile.
class list_question final : public node_question, private node::reply_receiver {
public:
    list_question(quorum& q, std::string&& beginning, std::size_t most,
                  engine::answer_listener<key_list>& listener)
        : node_question(q), listener_(listener), search_(std::move(beginning), most) {}

private:
    /// From `value` on it is the value of one candidate, by its number.
    enum kind : std::uint32_t { part, values, value };
    struct walk {
        std::uint16_t server = 0; ///< of a cluster
        std::uint64_t layout = 0;
        unsigned layouts = 0;
        std::string cursor = "0";
        std::vector<std::string> candidates{};
        std::size_t asked_for = 0; ///< of the candidates
        unsigned outstanding = 0;
        unsigned looks = 0;
        std::optional<errc> failed{};
    };

    void start() override {
        walks_.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            walks_[index].layout = layout_of(index).number;
            ask_for_part(index);
        }
        if (outstanding_ == 0) tell();
    }

    bool is_cluster(std::uint32_t index) const noexcept {
        const session& s = quorum_.session_of(index);
        return s.node().has_several_servers() || s.tags_keys();
    }
    void ask_for_part(std::uint32_t index) {
        const std::string pattern = search_.pattern(is_cluster(index));
        const std::string_view words[] = {"SCAN",  walks_[index].cursor, "MATCH", pattern,
                                          "COUNT", keys_of_one_look};
        ask(index, part, words);
    }
    void ask_for_values(std::uint32_t index) {
        walk& w = walks_[index];
        if (is_cluster(index)) return ask_for_some_values(index);
        std::vector<std::string_view> words{"MGET"};
        words.insert(words.end(), w.candidates.begin(), w.candidates.end());
        w.asked_for = w.candidates.size();
        ask(index, values, words);
    }
    /// One by one, for they are in different slots.
    void ask_for_some_values(std::uint32_t index) {
        walk& w = walks_[index];
        const std::size_t end = std::min(w.asked_for + values_at_once, w.candidates.size());
        while (w.asked_for < end && !w.failed) {
            const std::string_view words[] = {"GET", w.candidates[w.asked_for]};
            ask(index, static_cast<kind>(value + w.asked_for++), words);
        }
    }
    void ask(std::uint32_t index, kind what, std::span<const std::string_view> words) {
        walk& w = walks_[index];
        const addressee to{.receiver = this,
                           .tag = reply_tag::of(index, what),
                           .deadline = quorum_.deadline(),
                           .server = w.server};
        const errc refusal = quorum_.session_of(index).send(plain_command(quorum_.encoder(), words), to);
        if (refusal != errc{}) return failed(index, what, refusal);
        ++w.outstanding;
        ++outstanding_;
    }
    /// The value of a single key, which may be on its way from one server to another, is missed; no more.
    void failed(std::uint32_t index, kind what, errc why) noexcept {
        if (what >= value && why != errc::permission_denied)
            search_.gave_up();
        else
            walks_[index].failed = why;
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        const std::uint32_t index = tag.node();
        const kind what = tag.kind<kind>();
        came(index);
        if (reply.is(resp::kind::error)) {
            const bool is_no_text = what >= value && reply.text().starts_with("WRONGTYPE"); // and so no lock
            if (!is_no_text) failed(index, what, meaning_of_server_error(reply.text()));
        } else if (what == part) {
            take_part(index, reply);
        } else {
            take_values(index, what, reply);
        }
        go_on(index);
    }
    void on_failure(reply_tag tag, errc why) noexcept override {
        came(tag.node());
        failed(tag.node(), tag.kind<kind>(), why);
        go_on(tag.node());
    }
    void came(std::uint32_t index) noexcept {
        --walks_[index].outstanding;
        --outstanding_;
    }

    void take_part(std::uint32_t index, const resp::reply& reply) {
        walk& w = walks_[index];
        const resp::reply cursor = reply.first();
        const resp::reply keys = cursor.next();
        const bool is_cursor = !cursor.text().empty() && cursor.text().size() <= longest_cursor;
        if (!is_cursor || !keys.is(resp::kind::array)) {
            w.failed = errc::protocol_error;
            return;
        }
        w.cursor = cursor.text();
        ++w.looks;
        w.candidates.clear();
        w.asked_for = 0;
        for (resp::reply key = keys.first(); !key.end(); key = key.next())
            if (search_.is_candidate(key.text(), is_cluster(index))) w.candidates.emplace_back(key.text());
        if (w.candidates.size() > most_candidates) w.failed = errc::protocol_error;
    }
    void take_values(std::uint32_t index, kind what, const resp::reply& reply) {
        walk& w = walks_[index];
        if (what >= value) {
            search_.has(w.candidates[what - value], reply.text());
        } else {
            auto name = w.candidates.begin();
            for (resp::reply each = reply.first(); !each.end() && name != w.candidates.end();
                 each = each.next())
                search_.has(*name++, each.text());
        }
    }
    /// Asks for what is next, unless something is still to come. Values may all be refused at once.
    void go_on_walking(std::uint32_t index) {
        walk& w = walks_[index];
        while (w.outstanding == 0 && !w.failed) {
            if (w.asked_for < w.candidates.size())
                ask_for_values(index);
            else if (!next_part(index))
                return;
        }
    }
    /// False where there is none.
    bool next_part(std::uint32_t index) {
        walk& w = walks_[index];
        const auto now = layout_of(index);
        const bool has_changed = std::exchange(w.layout, now.number) != now.number;
        if (has_changed) {
            w.cursor.assign(1, '0'); // g++ 12 warns of an assignment of "0" at -O3
            w.server = 0;
        } else if (w.cursor == "0" && ++w.server >= now.servers) {
            if (!now.is_whole) search_.gave_up();
            return false;
        }
        w.layouts += has_changed;
        if (w.looks >= most_looks || w.layouts > most_layouts || search_.is_full()) {
            search_.gave_up();
            return false;
        }
        ask_for_part(index);
        return true;
    }
    ::redlock::node::key_layout layout_of(std::uint32_t index) const noexcept {
        return quorum_.session_of(index).node().layout();
    }

    void go_on(std::uint32_t index) {
        if (!is_let_go()) go_on_walking(index);
        if (outstanding_ > 0) return;
        if (is_let_go()) return end_if_done();
        tell();
    }

    void tell() {
        const errc why = common_failure();
        listener_.told(why == errc{} ? boost::system::error_code() : make_error_code(why),
                       std::move(search_).result());
    }
    /// 0 where a node has answered.
    errc common_failure() const noexcept {
        if (std::ranges::any_of(walks_, [](const walk& w) { return !w.failed; })) return errc{};
        const errc first = *walks_.front().failed;
        const bool is_common = std::ranges::all_of(walks_, [&](const walk& w) { return w.failed == first; });
        const bool may_pass = first == errc::node_timeout || first == errc::node_unavailable;
        return is_common && !may_pass ? first : errc::no_quorum;
    }

    bool is_settled() const noexcept override { return outstanding_ == 0; }

    engine::answer_listener<key_list>& listener_;
    key_search search_;
    std::vector<walk> walks_;
    unsigned outstanding_ = 0;
};

} // namespace

engine::question_pointer make_list(quorum& q, std::string beginning, std::size_t most,
                                   engine::answer_listener<key_list>& listener) {
    return engine::question_pointer(new list_question(q, std::move(beginning), most, listener));
}

} // namespace redlock::redis
