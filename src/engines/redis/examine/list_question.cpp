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
constexpr std::size_t longest_cursor = 20;

/// Goes through the keys of all nodes, of each one look behind the other: a part of its keys, then the values
/// of those that may be locks.
class list_question final : public node_question, private node::reply_receiver {
public:
    list_question(quorum& q, std::string&& beginning, std::size_t most,
                  engine::answer_listener<key_list>& listener)
        : node_question(q), listener_(listener), search_(std::move(beginning), most) {}

private:
    enum kind : std::uint32_t { part, values };
    struct walk {
        std::string cursor = "0";
        std::vector<std::string> candidates{};
        unsigned looks = 0;
        std::optional<errc> failed{};
    };

    void start() override {
        walks_.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
            if (quorum_.session_of(index).node().has_several_servers())
                return listener_.told(make_error_code(errc::unsupported), {});
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
            ask_for_part(index);
        if (outstanding_ == 0) tell();
    }

    void ask_for_part(std::uint32_t index) {
        const std::string pattern = search_.pattern();
        const std::string_view words[] = {"SCAN",  walks_[index].cursor, "MATCH", pattern,
                                          "COUNT", keys_of_one_look};
        ask(index, part, words);
    }
    void ask_for_values(std::uint32_t index) {
        const std::vector<std::string>& names = walks_[index].candidates;
        std::vector<std::string_view> words{"MGET"};
        words.insert(words.end(), names.begin(), names.end());
        ask(index, values, words);
    }
    void ask(std::uint32_t index, kind what, std::span<const std::string_view> words) {
        const addressee to{
            .receiver = this, .tag = reply_tag::of(index, what), .deadline = quorum_.deadline()};
        const errc refusal = quorum_.session_of(index).send(plain_command(quorum_.encoder(), words), to);
        if (refusal == errc{})
            ++outstanding_;
        else
            walks_[index].failed = refusal;
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        --outstanding_;
        if (reply.is(resp::kind::error))
            walks_[tag.node()].failed = meaning_of_server_error(reply.text());
        else if (!is_let_go())
            tag.kind<kind>() == part ? take_part(tag.node(), reply) : take_values(tag.node(), reply);
        go_on_or_tell();
    }
    void on_failure(reply_tag tag, errc why) noexcept override {
        --outstanding_;
        walks_[tag.node()].failed = why;
        go_on_or_tell();
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
        for (resp::reply key = keys.first(); !key.end(); key = key.next())
            if (search_.is_candidate(key.text())) w.candidates.emplace_back(key.text());
        if (w.candidates.empty())
            next_part(index);
        else
            ask_for_values(index);
    }
    void take_values(std::uint32_t index, const resp::reply& reply) {
        auto name = walks_[index].candidates.begin();
        for (resp::reply value = reply.first(); !value.end() && name != walks_[index].candidates.end();
             value = value.next())
            search_.has(*name++, value.text());
        next_part(index);
    }
    void next_part(std::uint32_t index) {
        walk& w = walks_[index];
        if (w.cursor == "0") return;
        if (w.looks < most_looks && !search_.is_full()) return ask_for_part(index);
        search_.gave_up();
    }

    void go_on_or_tell() {
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
