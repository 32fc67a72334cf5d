// Which keys are held.

#include "engines/sql/inquiries.hpp"
#include "engines/sql/key_pages.hpp"
#include "engines/sql/table_engine.hpp"
#include "turn/outcome.hpp"

#include <memory>
#include <utility>

namespace redlock::sql {

namespace {

/// A page behind the other, so that locks are served in between.
class list_question final : public seam::question, public detail::pooled {
public:
    list_question(table_engine& of, std::string&& beginning, std::size_t most,
                  seam::answer_listener<key_list>& told)
        : engine_(of), pages_(std::move(beginning), most), told_(told) {}

    void start() override {
        inquiry_ =
            new question_inquiry(engine_.dialect().list(pages_.from(), pages_.end(), key_pages::page_size),
                                 [this](const answer* a, errc why) { take(a, why); });
        engine_.table().submit(*inquiry_);
    }
    void let_go() noexcept override { delete this; }
    void client_closes() noexcept override { told_.told(make_error_code(errc::closed), {}); }

private:
    ~list_question() {
        if (inquiry_) inquiry_->let_go();
    }
    void take(const answer* a, errc why) {
        inquiry_ = nullptr;
        const errc read = a ? pages_.take(*a) : why;
        if (read == errc{} && !pages_.is_over()) return start();
        const auto more = read == errc{} ? nullptr : engine_.failure_of(read);
        told_.told(turn::code_of(told_as(read)), std::move(pages_).result(), more.get());
    }

    table_engine& engine_;
    key_pages pages_;
    seam::answer_listener<key_list>& told_;
    question_inquiry* inquiry_ = nullptr;
};

} // namespace

seam::question_pointer table_engine::list(std::string beginning, std::size_t most,
                                          seam::answer_listener<key_list>& listener) {
    return seam::question_pointer(new list_question(*this, std::move(beginning), most, listener));
}

} // namespace redlock::sql
