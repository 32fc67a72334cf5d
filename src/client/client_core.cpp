#include "client/client_core.hpp"

#include "client/client_registry.hpp"
#include "client/configuration.hpp"
#include "client/engines.hpp"
#include "client/entropy.hpp"
#include "lease/report.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>

#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace redlock::lock {

client_core::client_core(boost::asio::any_io_executor executor, config settings)
    : executor_(std::move(executor)),
      strand_(boost::asio::make_strand(executor_)),
      clock_(clock_of(settings)),
      turns_(*clock_, core::draw(system_entropy()), *this, *this),
      engine_(make_engine(settings, *strand_, turns_)),
      lessee_(settings_of(settings), turns_, *engine_, this),
      alarm_(*strand_) {
    turns_.set_work(*engine_);
}

client_core::~client_core() {
    if (!abandoned_) client_registry::of(executor_).remove(*this);
}

void client_core::start() {
    client_registry::of(executor_).add(shared_from_this());
    keep_ = shared_from_this();
    boost::asio::post(*strand_, [self = shared_from_this()] {
        self->alarm_->start(self, [core = self.get()] { core->turn([] {}); });
        self->turn([&] { self->engine_->start(); });
    });
}

void client_core::turn(const std::function<void()>& what) {
    turns_.begin();
    what();
    turns_.end(flushing_);
}

void client_core::wake() noexcept {
    if (!abandoned_) boost::asio::post(*strand_, [self = shared_from_this()] { self->flush_turn(); });
}

void client_core::do_later(std::function<void()> what) {
    if (!abandoned_)
        boost::asio::post(*strand_,
                          [self = shared_from_this(), what = std::move(what)] { self->turn(what); });
}

void client_core::turn_ended(std::optional<time::instant> next) noexcept {
    if (lessee_.is_of_parent()) tell_context_of_fork();
    if (next) alarm_->wake_at(clock_->real(*next), clock_->real(turns_.now()));
    go_on_closing();
    // Before the flush is asked for: the callers that are served now ask for the next lock.
    if (!completed_.empty()) detail::post(*executor_.target<detail::loop_executor>(), std::move(completed_));
    // Where there is one lock, nothing is gained by waiting for others. But five writes can take longer than
    // the five replies before: whoever was served goes first.
    const bool served = std::exchange(served_, false);
    if (flushing_)
        engine_->flush();
    else if (engine_->has_unwritten())
        flush_requested_ || served || works_for_several() ? request_flush() : engine_->flush();
    turn_mutex_.unlock();
}

// Behind whatever is ready on the executor now: the replies of other nodes, the callers that were just served
// and ask for the next lock. Their commands leave in the same write.
void client_core::request_flush() {
    if (std::exchange(flush_requested_, true)) return;
    boost::asio::post(*strand_, [self = shared_from_this()] {
        self->flush_requested_ = false;
        self->flush_turn();
    });
}

void client_core::flush_turn() {
    flushing_ = true;
    turn([] {});
    flushing_ = false;
}

void client_core::let_go() noexcept {
    if (abandoned_ || let_go_.exchange(true)) return;
    if (lessee_.is_of_parent()) return tell_context_of_fork();
    do_later([this] { close({}); });
}

void client_core::close(std::function<void()> closed) {
    if (closed) when_closed_.push_back(std::move(closed));
    if (phase_ == phase::closed) finish_closing();
    if (phase_ != phase::open) return;
    phase_ = phase::closing;
    turns_.calls().wake_for_each();
    lessee_.begin_closing();
    for (auto next = active_.begin(); next != active_.end();) {
        call& c = *next++; // it may end
        c.client_closes();
    }
}

void client_core::tell_context_of_fork() noexcept {
    if (left_) return;
    try {
        client_registry::of(executor_).tell_of_fork();
    } catch (const std::exception&) {
        // Without descriptors to spare the context stays as it is, and what the parent made is not touched.
        left_ = true;
    }
}

void client_core::leave_to_parent() {
    if (abandoned_ || !lessee_.is_of_parent() || std::exchange(left_, true)) return;
    alarm_->leave();
    engine_->leave();
    do_later([this] {
        engine_->fail_all();
        close({});
    });
}

void client_core::deliver(detail::completion_pointer<detail::completion> c) {
    served_ = true;
    detail::completion& own = *c.release();
    if (!own.post()) completed_.push(detail::completion_pointer<detail::completion>(&own));
}

// In steps, each at the end of a turn: first everything taken is given back, then the engine is let go.
void client_core::go_on_closing() {
    if (phase_ != phase::closing || !lessee_.quiet() || !engine_->quiet()) return;
    phase_ = phase::disconnecting;
    engine_->stop([self = shared_from_this()] {
        self->turn([&] {
            self->phase_ = phase::closed;
            self->finish_closing();
        });
        self->keep_.reset();
    });
    alarm_->stop();
    // What the engine failed on its way out has made routines ready.
    wake();
}

void client_core::finish_closing() {
    for (const auto& told : std::exchange(when_closed_, {}))
        told();
}

metrics_snapshot client_core::metrics() const {
    // A callback inside a turn may ask too.
    std::unique_lock between_turns(turn_mutex_, std::defer_lock);
    if (strand_ && !strand_->running_in_this_thread()) between_turns.lock();
    metrics_snapshot all{};
    report_leases(lessee_.counts(), all);
    engine_->report(all);
    return all;
}

void client_core::abandon() noexcept {
    abandoned_ = true;
    // Connections first: they hold pointers to what calls have asked for.
    engine_->disconnect();
    while (!active_.empty())
        active_.front().discard();
    gates_.abandon();
    lessee_.abandon();
    engine_->abandon();
    when_closed_.clear();
    completed_.clear();
    // A lease may keep this object for longer than the context lives; nothing of the context may stay in it.
    alarm_.reset();
    strand_.reset();
    executor_ = detail::executor_of_nobody();
    const auto last = std::move(keep_);
}

std::shared_ptr<lessee> lessee_of(const detail::core_pointer& core) { return client_core::lessee_of(core); }

} // namespace redlock::lock
