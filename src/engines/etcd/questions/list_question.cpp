// Which keys are held.

#include "engines/etcd/questions/question_call.hpp"

#include <algorithm>
#include <utility>

namespace redlock::etcd {

namespace {

constexpr std::int64_t page_size = 1000;
constexpr unsigned most_pages = 1000;

/// A page behind the other, so that locks are served in between.
class list_question final : public cluster_question<key_list> {
public:
    list_question(etcd_engine& of, const std::string& beginning, std::size_t most,
                  seam::answer_listener<key_list>& told)
        : cluster_question(of, told),
          from_(of.names().beginning_of(beginning)),
          end_(key_names::behind_all(from_)),
          most_(most) {}

    void start() override {
        ask(methods::range,
            request_of(messages::range_request{
                .key = from_, .range_end = end_, .limit = page_size, .keys_only = true}),
            [this](const result& r) {
                errc why{};
                const auto read = read_reply_of<messages::range_result>(r, why);
                if (!read) return tell(why);
                if (takes(read->content)) return start();
                std::ranges::sort(found_.keys);
                tell(std::move(found_));
            });
    }
    void client_closes() noexcept override { tell(errc::closed); }

private:
    /// Whether another page is to be asked for.
    bool takes(const messages::range_result& page) {
        for (const messages::key_value& each : page.found) {
            const auto name = engine().names().read(each.key);
            if (!name) {
                from_ = each.key + '\0';
                continue;
            }
            std::string queue = engine().names().queue(name->lock);
            // Of one queue the first is enough.
            from_ = key_names::behind(std::move(queue));
            if (!found_.keys.empty() && found_.keys.back() == name->lock) continue;
            if (found_.keys.size() == most_) {
                found_.more = true;
                return false;
            }
            found_.keys.push_back(name->lock);
        }
        if (!page.more) return false;
        if (++pages_ == most_pages) found_.more = true;
        return pages_ < most_pages;
    }

    std::string from_;
    const std::string end_;
    const std::size_t most_;
    key_list found_;
    unsigned pages_ = 0;
};

} // namespace

seam::question_pointer etcd_engine::list(std::string beginning, std::size_t most,
                                         seam::answer_listener<key_list>& listener) {
    return seam::question_pointer(new list_question(*this, beginning, most, listener));
}

} // namespace redlock::etcd
