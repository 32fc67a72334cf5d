#pragma once

#include "core/election/leader_record.hpp"
#include "engines/zookeeper/questions/marks_look.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace redlock::zookeeper {

/// What a folder has.
struct folder_sight {
    sight seen{};
    std::vector<marks_look::seen_mark> readers{};
    std::optional<leader_info> leader{}; ///< where it was asked for
};

/// Of a question: what else is read than the folder itself.
struct depth {
    std::size_t most_marks = 0;
    bool reads_leader = false;
};

/// A question that a look into a folder answers, and into some of what is in it. `Read` makes a report of
/// what was seen, and an error.
template <class Report>
class folder_question final : public seam::question, public detail::pooled {
public:
    using reader = std::function<errc(const folder_sight&, Report&)>;
    folder_question(zookeeper_engine& of, const std::string& full_key, depth how_deep, Report begun,
                    reader read, seam::answer_listener<Report>& told)
        : engine_(of),
          path_(of.root() + "/" + folder_name(full_key)),
          depth_(how_deep),
          report_(std::move(begun)),
          read_(std::move(read)),
          told_(told) {}

    void start() override {
        look_.begin(engine_.servers(), path_, true, [this](const folder_look::outcome& o) {
            if (o.why != errc{}) return fail(o.why);
            found_.seen = o.seen;
            if (depth_.reads_leader && o.seen.has_leader) return read_leader();
            read_marks();
        });
    }
    void let_go() noexcept override { delete this; }

private:
    ~folder_question() = default;

    /// It may have gone meanwhile, or be nobody's of this library.
    void read_leader() {
        leader_.wait_for(
            engine_.servers().submit(get_data(leader_path(path_), false), [this](const reply& r) {
                leader_.is_over();
                if (!r.is_done() && r.what != reply::kind::refused) return fail(meaning_of(r));
                if (const auto read = r.is_done() ? read_data(r.body) : std::nullopt)
                    found_.leader = core::read_leader_record(read->data);
                read_marks();
            }));
    }
    void read_marks() {
        std::vector<reader_mark> marks = found_.seen.marks;
        if (marks.size() > depth_.most_marks)
            marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(depth_.most_marks), marks.end());
        const auto told = [this](errc why, const std::vector<marks_look::seen_mark>& all) {
            if (why != errc{}) return fail(why);
            found_.readers = all;
            const errc read = read_(found_, report_);
            told_.told(turn::code_of(read), std::move(report_));
        };
        marks_.begin(engine_.servers(), path_, std::move(marks), told);
    }
    void fail(errc why) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told_as(why)), std::move(report_), more.get());
    }

    zookeeper_engine& engine_;
    const std::string path_;
    const depth depth_;
    Report report_;
    const reader read_;
    seam::answer_listener<Report>& told_;
    folder_look look_;
    folder_sight found_;
    awaited_call leader_;
    marks_look marks_;
};

} // namespace redlock::zookeeper
