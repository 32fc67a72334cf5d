// client::async_examine.

#include "client/client_core.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/examine/examine_node.hpp"
#include "engines/redis/examine/examine_relations.hpp"
#include "lease/call.hpp"

#include <redlock/detail/operations.hpp>

#include <algorithm>

namespace redlock {
namespace lock {

namespace {

/// Examines all nodes at once. It lives until the last of its connections has ended, and the client does not
/// close before that.
class examine_call final : public completing_call<std::vector<node_examination>>,
                           private examination_listener {
public:
    examine_call(std::shared_ptr<lock::runtime> r, handler&& h)
        : completing_call(std::move(r), std::move(h)) {}

private:
    void begin() override {
        if (runtime().closing()) {
            complete(make_error_code(errc::closed), {});
            return end();
        }
        const core::nanoseconds step =
            std::max<core::nanoseconds>(shortest_step, runtime().settings().node_timeout);
        core().connected_apart();
        unexamined_ = connected_ = runtime().nodes();
        examination_listener& listener = *this;
        for (std::uint32_t index = 0; index < runtime().nodes(); ++index)
            nodes_.push_back(std::make_unique<examine_node>(
                runtime(), index, core().address_of(index).database, step, listener));
        for (std::uint32_t index = 0; index < runtime().nodes(); ++index)
            nodes_[index]->start(core().connect_apart(index, nodes_[index]->ear()));
    }

    void examined() noexcept override {
        if (--unexamined_ > 0) return;
        if (!completed()) {
            std::vector<node_examination> all;
            for (const auto& one : nodes_)
                all.push_back(std::move(one->found()));
            find_relations(all);
            complete({}, std::move(all));
        }
        stop();
    }

    void stop() noexcept {
        if (std::exchange(stopped_, true)) return;
        for (const auto& one : nodes_)
            one->stop([self = itself(), this] { connection_ended(); });
    }

    void connection_ended() {
        if (--connected_ > 0) return;
        core().turn([this] { core().disconnected_apart(); });
        end();
    }

    void cancel() noexcept override { give_up(boost::asio::error::operation_aborted); }
    void client_closes() noexcept override { give_up(make_error_code(errc::closed)); }

    void give_up(boost::system::error_code why) {
        if (!completed()) complete(why, {});
        stop();
    }

    void drop_handler() noexcept override {
        nodes_.clear();
        completing_call::drop_handler();
    }

    static constexpr std::chrono::seconds shortest_step{1};

    std::vector<std::unique_ptr<examine_node>> nodes_;
    unsigned unexamined_ = 0;
    unsigned connected_ = 0;
    bool stopped_ = false;
};

} // namespace

} // namespace lock

void detail::start_examine(const core_pointer& core, examine_handler handler, asio::cancellation_slot slot) {
    lock::call::send(
        std::make_shared<lock::examine_call>(lock::client_core::runtime_of(core), std::move(handler)), slot);
}

} // namespace redlock
