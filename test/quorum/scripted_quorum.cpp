#include "scripted_quorum.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::test {

scripted_node::scripted_node(unsigned index) : name_(fmt::format("redis://node{}", index)) {
    info.product = "redis";
    info.version = "7.0.15";
    info.run_id = fmt::format("{:040}", index);
}

errc scripted_node::submit(const redlock::node::request& r) noexcept {
    if (health == redlock::node::health::unavailable) return errc::node_unavailable;
    if (!refused.empty() && r.command.find(refused) != r.command.npos) return errc::node_timeout;
    if (r.receiver)
        requests.push_back({std::string(r.command), r.receiver, r.tag});
    else
        told.emplace_back(r.command);
    return {};
}

void scripted_node::answer(std::string_view reply) {
    BOOST_REQUIRE(!requests.empty());
    resp::reader reader;
    const auto space = reader.prepare();
    std::ranges::copy(reply, space.begin());
    reader.commit(reply.size());
    resp::reply read;
    BOOST_REQUIRE((reader.next(read) == resp::read_status::complete));
    const waiting first = std::move(requests.front());
    requests.pop_front();
    first.receiver->on_reply(first.tag, read);
}

void scripted_node::fail(errc why) {
    BOOST_REQUIRE(!requests.empty());
    const waiting first = std::move(requests.front());
    requests.pop_front();
    first.receiver->on_failure(first.tag, why);
}

scripted_quorum::scripted_quorum(unsigned count, redlock::wakeup mode, std::size_t max_inflight) {
    turn::turn_listener& listener = *this;
    turn::inbox_waker& waker = *this;
    core::entropy& tokens = *this;
    time::time_source& time = *this;
    turns_ = std::make_unique<turn::turns>(time, 1, listener, waker);
    redis::settings settings{.key_prefix = {},
                             .node_timeout = 50ms,
                             .drift = {},
                             .max_inflight = max_inflight,
                             .wakeup = mode,
                             .configure_servers = false,
                             .fence_retention = 24h,
                             .handoff_limit = 64,
                             .observer = nullptr,
                             .entropy = &tokens,
                             .queues = mode == wakeup::automatic || mode == wakeup::client_tracking};
    engine_ = std::make_unique<engine_on_given_nodes>(std::move(settings), *turns_, 0);
    turns_->set_work(*engine_);
    std::vector<node::node*> all;
    std::vector<node::node*> ears;
    for (unsigned i = 0; i < count; ++i) {
        all.push_back(nodes.emplace_back(std::make_unique<scripted_node>(i)).get());
        ears.push_back(ears_.emplace_back(std::make_unique<scripted_node>(i)).get());
    }
    quorum().set_nodes(all, ears, [this](std::uint32_t node) { started_ears.push_back(node); });
}

scripted_quorum::~scripted_quorum() { engine_->abandon(); }

redis::quorum& scripted_quorum::quorum() noexcept { return engine_->quorum(); }

engine::engine& scripted_quorum::engine() noexcept { return *engine_; }

engine::claim_pointer scripted_quorum::claim(bool fencing) {
    return engine_->claim_key("", detail::key_text("k"), fencing);
}

void scripted_quorum::answer_each(std::string_view how, std::string_view yes, std::string_view no) {
    for (std::size_t i = 0; i < how.size(); ++i) {
        if (how[i] == '?') continue;
        turn([&] {
            if (how[i] == '!') return nodes[i]->fail(errc::node_timeout);
            nodes[i]->answer(how[i] == '+' ? yes : no);
        });
    }
}

void scripted_quorum::fill(std::span<std::uint8_t> out) {
    for (std::uint8_t& byte : out)
        byte = static_cast<std::uint8_t>(random_());
}

void scripted_quorum::flush() {
    turns_->begin();
    turns_->end(true);
    quorum().flush();
}

std::vector<std::string> all_answers(unsigned nodes, std::string_view of) {
    std::vector<std::string> all{""};
    for (unsigned i = 0; i < nodes; ++i) {
        std::vector<std::string> longer;
        for (const std::string& one : all)
            for (const char c : of)
                longer.push_back(one + c);
        all = std::move(longer);
    }
    return all;
}

} // namespace redlock::test
