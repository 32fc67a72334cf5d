// Who has a lock, and who reads.

#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/questions/holders.hpp"
#include "engines/etcd/questions/question_call.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace redlock::etcd {

namespace {

/// Of each lease of the server that a holder's key is under it asks what is left of it, one behind the other.
class inspect_question final : public cluster_question<key_report> {
public:
    inspect_question(etcd_engine& of, std::string full_key, seam::answer_listener<key_report>& told)
        : cluster_question(of, told),
          queue_(of.names().queue(full_key)),
          leader_(of.names().leader(full_key)) {
        report_.key = std::move(full_key);
    }
    void start() override {
        ask(methods::txn, holders_request(queue_, holders::most_shown, leader_), [this](const result& r) {
            if (r.failed) return tell(r.failed->why);
            auto read = read_holders(r.response, queue_, holders::most_shown);
            if (!read) return tell(errc::protocol_error);
            found_ = std::move(*read);
            if (found_.writer) left_.emplace(found_.writer->lease, std::nullopt);
            for (const holder& each : found_.readers)
                left_.emplace(each.lease, std::nullopt);
            ask_for_lives(left_.begin());
        });
    }

private:
    using lives = std::map<messages::lease_id, std::optional<std::chrono::seconds>>;

    void ask_for_lives(lives::iterator next) {
        if (next == left_.end()) return ask_for_version();
        ask(methods::lease_time_to_live, request_of(messages::lease_time_to_live_request{.id = next->first}),
            [this, next](const result& r) {
                errc why{};
                const auto read = read_reply_of<messages::lease_time_to_live_result>(r, why);
                if (read && read->content.left.count() > 0) next->second = read->content.left;
                ask_for_lives(std::next(next));
            });
    }

    // A client that has only just come may hear of the key before it hears who told of it.
    void ask_for_version() {
        if (!engine().version().empty()) return finish();
        ask(methods::status, {}, [this](const result& r) {
            engine().take_version(r);
            finish();
        });
    }

    void finish() {
        node_key_report told{};
        told.node = engine().name();
        told.product = "etcd";
        told.version = engine().version();
        told.listeners = found_.waiting;
        told.readers.emplace();
        told.more_readers = found_.more_readers;
        if (found_.writer) {
            told.value = found_.writer->try_name;
            told.fence = found_.writer->fencing_token;
            told.label = found_.writer->label;
            told.remaining = left_[found_.writer->lease];
        }
        for (const holder& each : found_.readers) {
            told.fence = std::max(told.fence.value_or(0), each.fencing_token);
            told.readers->push_back({.value = each.try_name,
                                     .remaining = left_[each.lease].value_or(std::chrono::seconds(0)),
                                     .label = each.label});
            report_.readers.push_back(each.try_name);
        }
        report_.holder = told.value;
        report_.holder_label = told.label;
        report_.waiting = told.listeners;
        report_.leader = std::move(found_.leader);
        report_.nodes.push_back(std::move(told));
        tell(std::move(report_));
    }

    const std::string queue_, leader_;
    holders found_;
    lives left_; ///< of the leases
    key_report report_{};
};

} // namespace

seam::question_pointer etcd_engine::inspect(std::string full_key,
                                            seam::answer_listener<key_report>& listener) {
    return seam::question_pointer(new inspect_question(*this, std::move(full_key), listener));
}

} // namespace redlock::etcd
