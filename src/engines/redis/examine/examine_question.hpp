#pragma once

#include "engine/question.hpp"
#include "engines/redis/examine/examine_node.hpp"
#include "turn/live_list.hpp"

#include <redlock/node_examination.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace redlock::redis {

/// Makes a connection to a node apart from the one for locks, not started yet, which tells this listener of
/// itself. It is not refused by a replica, nor for being one to the same server as another node.
using connect_apart =
    std::function<std::unique_ptr<node::connected_node>(std::uint32_t node, node::node_listener& listener)>;

/// Examines all nodes at once. It lives until the last of its connections has ended, and the client does not
/// close before that.
class examine_question final : public engine::question, public turn::list_hook, private examination_listener {
public:
    /// `databases` are those of the nodes.
    examine_question(quorum& q, std::vector<unsigned> databases, connect_apart connect,
                     engine::answer_listener<std::vector<node_examination>>& listener)
        : quorum_(q), databases_(std::move(databases)), connect_(std::move(connect)), listener_(listener) {}
    void start() override;
    void let_go() noexcept override;
    void client_closes() noexcept override;
    /// The strand will never run again: destroys the connections, and itself unless somebody still has it.
    void abandon() noexcept;

private:
    ~examine_question() = default;
    void examined() noexcept override;
    void tell(const boost::system::error_code& ec, std::vector<node_examination>&& found);
    void stop() noexcept;
    void connection_ended();

    quorum& quorum_;
    const std::vector<unsigned> databases_;
    const connect_apart connect_;
    engine::answer_listener<std::vector<node_examination>>& listener_;
    std::vector<std::unique_ptr<examine_node>> nodes_;
    unsigned unexamined_ = 0;
    unsigned connected_ = 0;
    bool told_ = false;
    bool stopped_ = false;
    bool let_go_ = false;
    bool abandoned_ = false;
};

} // namespace redlock::redis
