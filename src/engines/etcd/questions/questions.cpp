// What users may ask: who has a key, whether a token is the current one; and to take a key away.

#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/questions/holder.hpp"
#include "engines/etcd/questions/question_call.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::etcd {

namespace {

using messages::range_result;

class check_question final : public cluster_question<seam::no_report> {
public:
    check_question(etcd_engine& of, std::string queue, std::uint64_t token,
                   seam::answer_listener<seam::no_report>& told)
        : cluster_question(of, told), queue_(std::move(queue)), token_(token) {}
    void start() override {
        ask(methods::range, holder_request(queue_), [this](const result& r) {
            errc why{};
            const auto read = read_reply_of<range_result>(r, why);
            if (!read) return tell(why);
            const auto has_it = holder_in(read->content, queue_);
            if (!has_it || has_it->fencing_token != token_) return tell(errc::lease_lost);
            tell(seam::no_report{});
        });
    }

private:
    const std::string queue_;
    const std::uint64_t token_;
};

class inspect_question final : public cluster_question<key_report> {
public:
    inspect_question(etcd_engine& of, std::string full_key, seam::answer_listener<key_report>& told)
        : cluster_question(of, told), queue_(of.names().queue(full_key)) {
        report_.key = std::move(full_key);
    }
    void start() override {
        ask(methods::range, holder_request(queue_), [this](const result& r) {
            errc why{};
            const auto read = read_reply_of<range_result>(r, why);
            if (!read) return tell(why);
            found(holder_in(read->content, queue_));
        });
    }

private:
    void found(const std::optional<holder>& has_it) {
        told_.node = engine().name();
        told_.product = "etcd";
        told_.listeners = has_it ? has_it->waiting : 0;
        if (!has_it) return finish();
        told_.value = has_it->try_name;
        told_.fence = has_it->fencing_token;
        told_.label = has_it->label;
        ask(methods::lease_time_to_live,
            request_of(messages::lease_time_to_live_request{.id = has_it->lease}), [this](const result& r) {
                errc why{};
                const auto read = read_reply_of<messages::lease_time_to_live_result>(r, why);
                if (read && read->content.left.count() > 0) told_.remaining = read->content.left;
                finish();
            });
    }
    void finish() {
        told_.version = engine().version();
        report_.holder = told_.value;
        report_.holder_label = told_.label;
        report_.waiting = told_.listeners;
        report_.nodes.push_back(std::move(told_));
        tell(std::move(report_));
    }

    const std::string queue_;
    key_report report_{};
    node_key_report told_{};
};

class remove_question final : public cluster_question<break_report> {
public:
    remove_question(etcd_engine& of, key_report shown, seam::answer_listener<break_report>& told)
        : cluster_question(of, told), shown_(std::move(shown)) {}
    void start() override {
        if (shown_.nodes.size() != 1 || shown_.nodes.front().node != engine().name())
            return tell(errc::invalid_option);
        if (!shown_.holder) return finish(removal::nothing_shown);
        // What is no name of a try is no key that there is.
        const bool is_name =
            core::read_token(*shown_.holder).has_value() && shown_.holder->size() == core::lock_token::size;
        if (!is_name) return finish(removal::changed);
        ask(methods::txn, take_away_request(engine().names().queue(shown_.key) + *shown_.holder),
            [this](const result& r) {
                if (r.failed) return tell(r.failed->why);
                const done how = read_done(r.response);
                if (how.what == done::kind::unreadable) return tell(errc::protocol_error);
                finish(how.what == done::kind::carried_out ? removal::removed : removal::changed);
            });
    }

private:
    void finish(removal how) {
        break_report report{.key = shown_.key, .nodes = {}, .removed = how == removal::removed};
        report.nodes.push_back({.node = engine().name(), .outcome = how, .error = {}});
        tell(std::move(report));
    }

    const key_report shown_;
};

} // namespace

seam::question_pointer etcd_engine::check(std::string full_key, std::uint64_t fencing_token,
                                          seam::answer_listener<seam::no_report>& listener) {
    return seam::question_pointer(new check_question(*this, names_.queue(full_key), fencing_token, listener));
}

seam::question_pointer etcd_engine::inspect(std::string full_key,
                                            seam::answer_listener<key_report>& listener) {
    return seam::question_pointer(new inspect_question(*this, std::move(full_key), listener));
}

seam::question_pointer etcd_engine::remove(key_report shown, seam::answer_listener<break_report>& listener) {
    return seam::question_pointer(new remove_question(*this, std::move(shown), listener));
}

// Whoever waits has a key of his own there.
void etcd_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    const std::string queue = names_.queue(held->full_key.view());
    const auto told = [held, &listener](const result& r) {
        errc why{};
        const auto read = read_reply_of<range_result>(r, why);
        if (read && read->content.count <= 1) listener.nobody_else_waits(held->full_key.view());
    };
    line_.submit(*new inquiry(methods::range,
                              request_of(messages::range_request{
                                  .key = queue, .range_end = key_names::behind(queue), .count_only = true}),
                              told));
}

} // namespace redlock::etcd
