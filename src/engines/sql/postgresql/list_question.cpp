// Which keys are held.

#include "engines/sql/key_pages.hpp"
#include "engines/sql/postgresql/inquiries.hpp"
#include "engines/sql/postgresql/postgresql_engine.hpp"
#include "turn/outcome.hpp"

#include <memory>
#include <utility>

namespace redlock::postgresql {

namespace {

/// A page behind the other, so that locks are served in between.
class list_question final : public seam::question, public detail::pooled {
public:
    list_question(postgresql_engine& of, std::string&& beginning, std::size_t most,
                  seam::answer_listener<key_list>& told)
        : engine_(of), pages_(std::move(beginning), most), told_(told) {}

    void start() override {
        inquiry_ = new question_inquiry(list(pages_.from(), pages_.end(), sql::key_pages::page_size),
                                        [this](const sql::answer* a, errc why) { take(a, why); });
        engine_.table().submit(*inquiry_);
    }
    void let_go() noexcept override { delete this; }
    void client_closes() noexcept override { told_.told(make_error_code(errc::closed), {}); }

private:
    ~list_question() {
        if (inquiry_) inquiry_->let_go();
    }
    void take(const sql::answer* a, errc why) {
        inquiry_ = nullptr;
        const errc read = a ? pages_.take(*a) : why;
        if (read == errc{} && !pages_.is_over()) return start();
        const auto more = read == errc{} ? nullptr : engine_.failure_of(read);
        told_.told(turn::code_of(told_as(read)), std::move(pages_).result(), more.get());
    }

    postgresql_engine& engine_;
    sql::key_pages pages_;
    seam::answer_listener<key_list>& told_;
    question_inquiry* inquiry_ = nullptr;
};

} // namespace

seam::question_pointer postgresql_engine::list(std::string beginning, std::size_t most,
                                               seam::answer_listener<key_list>& listener) {
    return seam::question_pointer(new list_question(*this, std::move(beginning), most, listener));
}

} // namespace redlock::postgresql
