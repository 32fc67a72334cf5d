// How an operator takes a key away.

#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/rule/key_folder.hpp"
#include "engines/zookeeper/wire/limits.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <utility>

namespace redlock::zookeeper {

namespace {

/// Looks whether what was shown is still there, and takes it away in the same state.
class remove_question final : public seam::question, public detail::pooled {
public:
    remove_question(zookeeper_engine& of, key_report shown, seam::answer_listener<break_report>& told)
        : engine_(of), shown_(std::move(shown)), told_(told) {}

    void start() override {
        if (shown_.nodes.size() != 1 || shown_.nodes.front().node != engine_.name())
            return told_.told(make_error_code(errc::invalid_option), {});
        if (!shown_.holder && shown_.readers.empty()) return tell(removal::nothing_shown);
        look_.begin(engine_.servers(), folder(), true,
                    [this](const folder_look::outcome& o) { take_away(o); });
    }
    void let_go() noexcept override { delete this; }

private:
    static constexpr std::size_t operations_of_reader = 2;

    ~remove_question() = default;

    std::string folder() const { return engine_.root() + "/" + folder_name(shown_.key); }
    void take_away(const folder_look::outcome& o) {
        if (o.why != errc{}) return fail(o.why);
        const sight& seen = o.seen;
        multi m;
        const auto take_node_away = [&](const std::string& token) {
            if (const place_node* node = seen.node_of(token)) m.remove(folder() + "/" + node->name);
        };
        if (shown_.holder && seen.holder && seen.holder->token == *shown_.holder) {
            m.set_data(folder(), {}, seen.version);
            take_node_away(*shown_.holder);
            if (seen.has_leader) m.remove(leader_path(folder()));
        } else if (removals_ > 0 && seen.has_stale_leader()) {
            // He has proclaimed it between the look and his end.
            m.check(folder(), seen.version).remove(leader_path(folder()));
        }
        readers_ = 0;
        for (const std::string& token : shown_.readers) {
            const reader_mark* const mark = seen.mark_of(token);
            if (!mark || m.size() + operations_of_reader > most_operations) continue;
            m.remove(folder() + "/" + mark->name);
            take_node_away(token);
            ++readers_;
        }
        if (m.size() == 0) return tell(removals_ > 0 ? removal::removed : removal::changed);
        call_.wait_for(engine_.servers().submit(m.finish(), [this](const reply& r) {
            call_.is_over();
            const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
            const fault failed = all ? fault_in(*all) : r.said;
            if (all && failed == fault::none) {
                removals_ += 1;
                readers_removed_ += readers_;
                return start(); // there may be more than one transaction can take away
            }
            if (failed == fault::bad_version || failed == fault::no_node) return start();
            fail(r.is_done() ? meaning_of({.what = reply::kind::refused, .said = failed}) : meaning_of(r));
        }));
    }
    void tell(removal how) {
        break_report report{.key = shown_.key, .nodes = {}, .removed = how == removal::removed};
        report.nodes.push_back(
            {.node = engine_.name(), .outcome = how, .error = {}, .readers_removed = readers_removed_});
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
    unsigned readers_ = 0; ///< that are being removed
    unsigned readers_removed_ = 0;
    unsigned removals_ = 0;
};

} // namespace

seam::question_pointer zookeeper_engine::remove(key_report shown,
                                                seam::answer_listener<break_report>& listener) {
    return seam::question_pointer(new remove_question(*this, std::move(shown), listener));
}

} // namespace redlock::zookeeper
