// What users may ask: who has a key, whether a token is the current one; and to take a key away.

#include "core/printable.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t longest_label_told = 200;

/// A question that a look into a folder answers. `Read` makes a report of what was seen, and an error.
template <class Report>
class folder_question final : public seam::question, public detail::pooled {
public:
    using reader = std::function<errc(const sight&, Report&)>;
    folder_question(zookeeper_engine& of, std::string path, Report begun, reader read,
                    seam::answer_listener<Report>& told)
        : engine_(of),
          path_(std::move(path)),
          report_(std::move(begun)),
          read_(std::move(read)),
          told_(told) {}

    void start() override {
        look_.begin(engine_.servers(), path_, true, [this](const folder_look::outcome& o) {
            const errc read = o.why == errc{} ? read_(o.seen, report_) : told_as(o.why);
            const auto more = o.why == errc{} ? nullptr : engine_.failure_of(o.why);
            told_.told(turn::code_of(read), std::move(report_), more.get());
        });
    }
    void let_go() noexcept override { delete this; }

private:
    ~folder_question() = default;

    zookeeper_engine& engine_;
    const std::string path_;
    Report report_;
    const reader read_;
    seam::answer_listener<Report>& told_;
    folder_look look_;
};

template <class Report, class Read>
seam::question_pointer ask_folder(zookeeper_engine& of, const std::string& full_key, Report begun, Read read,
                                  seam::answer_listener<Report>& told) {
    return seam::question_pointer(new folder_question<Report>(of, of.root() + "/" + folder_name(full_key),
                                                              std::move(begun), std::move(read), told));
}

/// Looks whether what was shown is still there, and takes it away in the same state.
class remove_question final : public seam::question, public detail::pooled {
public:
    remove_question(zookeeper_engine& of, key_report shown, seam::answer_listener<break_report>& told)
        : engine_(of), shown_(std::move(shown)), told_(told) {}

    void start() override {
        if (shown_.nodes.size() != 1 || shown_.nodes.front().node != engine_.name())
            return told_.told(make_error_code(errc::invalid_option), {});
        if (!shown_.holder) return tell(removal::nothing_shown);
        look_.begin(engine_.servers(), folder(), true,
                    [this](const folder_look::outcome& o) { take_away(o); });
    }
    void let_go() noexcept override { delete this; }

private:
    ~remove_question() = default;

    std::string folder() const { return engine_.root() + "/" + folder_name(shown_.key); }
    void take_away(const folder_look::outcome& o) {
        if (o.why != errc{}) return fail(o.why);
        const sight& seen = o.seen;
        if (!seen.holder || seen.holder->token != *shown_.holder) return tell(removal::changed);
        multi m;
        m.set_data(folder(), {}, seen.version);
        if (const place_node* node = seen.node_of(seen.holder->token)) m.remove(folder() + "/" + node->name);
        call_.wait_for(engine_.servers().submit(m.finish(), [this](const reply& r) {
            call_.is_over();
            const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
            const fault failed = all ? fault_in(*all) : r.said;
            if (all && failed == fault::none) return tell(removal::removed);
            if (failed == fault::bad_version || failed == fault::no_node) return start();
            fail(r.is_done() ? meaning_of({.what = reply::kind::refused, .said = failed}) : meaning_of(r));
        }));
    }
    void tell(removal how) {
        break_report report{.key = shown_.key, .nodes = {}, .removed = how == removal::removed};
        report.nodes.push_back({.node = engine_.name(), .outcome = how, .error = {}});
        told_.told({}, std::move(report));
    }
    void fail(errc why) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told_as(why)), {}, more.get());
    }

    zookeeper_engine& engine_;
    const key_report shown_;
    seam::answer_listener<break_report>& told_;
    folder_look look_;
    awaited_call call_;
};

} // namespace

void zookeeper_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    const claim_pointer of = own(std::move(held));
    const auto at = looks_.emplace(looks_.end());
    at->begin(servers_, path_of(*of), false, [this, at, of, &listener](const folder_look::outcome& o) {
        const bool alone =
            std::ranges::all_of(o.seen.nodes, [&](const auto& n) { return n.token == of->token(); });
        looks_.erase(at);
        if (o.why == errc{} && alone) listener.nobody_else_waits(of->full_key);
    });
}

seam::question_pointer zookeeper_engine::check(std::string full_key, std::uint64_t fencing_token,
                                               seam::answer_listener<seam::no_report>& listener) {
    const auto read = [fencing_token](const sight& s, seam::no_report&) {
        const bool is_current =
            s.holder && s.node_of(s.holder->token) && s.holder->current_fence(s.written_by) == fencing_token;
        return is_current ? errc{} : errc::lease_lost;
    };
    return ask_folder(*this, full_key, seam::no_report{}, read, listener);
}

seam::question_pointer zookeeper_engine::inspect(std::string full_key,
                                                 seam::answer_listener<key_report>& listener) {
    const auto read = [this](const sight& s, key_report& report) {
        node_key_report told;
        told.node = name();
        told.product = "zookeeper";
        std::size_t waiting = s.nodes.size();
        if (s.holder) {
            waiting -= s.node_of(s.holder->token) != nullptr;
            told.value = s.holder->token;
            told.fence = s.holder->current_fence(s.written_by);
            told.label = core::printable(s.holder->label, longest_label_told);
        }
        told.listeners = waiting;
        report.holder = told.value;
        report.holder_label = told.label;
        report.waiting = waiting;
        report.nodes.push_back(std::move(told));
        return errc{};
    };
    const std::string key = full_key;
    return ask_folder(*this, key,
                      key_report{.key = std::move(full_key), .nodes = {}, .holder = {}, .waiting = {}}, read,
                      listener);
}

seam::question_pointer zookeeper_engine::remove(key_report shown,
                                                seam::answer_listener<break_report>& listener) {
    return seam::question_pointer(new remove_question(*this, std::move(shown), listener));
}

} // namespace redlock::zookeeper
