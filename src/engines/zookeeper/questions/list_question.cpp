// Which keys are held.

#include "engines/zookeeper/rule/key_folder.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace redlock::zookeeper {

namespace {

/// Reads the names of all folders, and then their records, some at once: locks are served in between.
class list_question final : public seam::question, public detail::pooled {
public:
    list_question(zookeeper_engine& of, std::string&& beginning, std::size_t most,
                  seam::answer_listener<key_list>& told)
        : engine_(of), beginning_(std::move(beginning)), most_(most), told_(told) {}

    void start() override {
        calls_.emplace_back().wait_for(engine_.servers().submit(get_children(engine_.root()),
                                                                [this](const reply& r) { take_names(r); }));
    }
    void let_go() noexcept override { delete this; }
    void client_closes() noexcept override { told_.told(make_error_code(errc::closed), {}); }

private:
    static constexpr std::size_t records_at_once = 128;

    ~list_question() = default;

    void take_names(const reply& r) {
        calls_.front().is_over();
        calls_.clear();
        if (r.what == reply::kind::refused && r.said == fault::no_node) return tell();
        const auto read = r.is_done() ? read_children(r.body) : std::nullopt;
        if (!read) return fail(r.is_done() ? errc::protocol_error : meaning_of(r));
        for (const std::string& name : read->names)
            if (auto key = key_of_folder(name); key && key->starts_with(beginning_))
                candidates_.push_back(std::move(*key));
        std::ranges::sort(candidates_);
        read_records();
    }
    void read_records() {
        calls_.clear();
        open_ = 0;
        while (next_ < candidates_.size() && open_ < records_at_once && found_.keys.size() < most_) {
            const std::size_t which = next_++;
            ++open_;
            calls_.emplace_back().wait_for(engine_.servers().submit(
                get_data(engine_.root() + "/" + folder_name(candidates_[which]), false),
                [this, which, at = calls_.size() - 1](const reply& r) { take_record(which, at, r); }));
        }
        if (open_ == 0) tell();
    }
    void take_record(std::size_t which, std::size_t at, const reply& r) {
        calls_[at].is_over();
        const auto read = r.is_done() ? read_data(r.body) : std::nullopt;
        const bool is_missing = r.what == reply::kind::refused && r.said == fault::no_node;
        if (!read && !is_missing && why_ == errc{}) why_ = r.is_done() ? errc::protocol_error : meaning_of(r);
        const folder_content content = read ? read_content(read->data) : folder_content{};
        if (content.holder) add(which);
        if (content.is_shared) {
            // The record stays when they have gone.
            calls_[at].wait_for(engine_.servers().submit(
                get_children(engine_.root() + "/" + folder_name(candidates_[which])),
                [this, which, at](const reply& told) { take_readers(which, at, told); }));
            return;
        }
        one_is_done();
    }
    void take_readers(std::size_t which, std::size_t at, const reply& r) {
        calls_[at].is_over();
        const auto read = r.is_done() ? read_children(r.body) : std::nullopt;
        const bool is_missing = r.what == reply::kind::refused && r.said == fault::no_node;
        if (!read && !is_missing && why_ == errc{}) why_ = r.is_done() ? errc::protocol_error : meaning_of(r);
        if (read &&
            std::ranges::any_of(read->names, [](const auto& name) { return read_mark(name).has_value(); }))
            add(which);
        one_is_done();
    }
    void add(std::size_t which) {
        if (found_.keys.size() < most_)
            found_.keys.push_back(candidates_[which]);
        else
            found_.more = true;
    }
    void one_is_done() {
        if (--open_ > 0) return;
        if (why_ != errc{}) return fail(why_);
        read_records();
    }
    void tell() {
        found_.more = found_.more || next_ < candidates_.size();
        told_.told({}, std::move(found_));
    }
    void fail(errc why) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told_as(why)), {}, more.get());
    }

    zookeeper_engine& engine_;
    const std::string beginning_;
    const std::size_t most_;
    seam::answer_listener<key_list>& told_;
    std::vector<std::string> candidates_;
    std::size_t next_ = 0;
    std::size_t open_ = 0;
    errc why_{};
    key_list found_;
    std::deque<awaited_call> calls_;
};

} // namespace

seam::question_pointer zookeeper_engine::list(std::string beginning, std::size_t most,
                                              seam::answer_listener<key_list>& listener) {
    return seam::question_pointer(new list_question(*this, std::move(beginning), most, listener));
}

} // namespace redlock::zookeeper
