#include "support/member_links.hpp"

#include "support/listen.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <future>
#include <string_view>

namespace redlock::test {

namespace asio = boost::asio;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);

/// As members put it into every request to each other.
std::string sender_of(std::string_view request) {
    constexpr std::string_view field = "\r\nX-Server-From: ";
    const auto found = request.find(field);
    if (found == request.npos) return {};
    const auto begin = found + field.size();
    return std::string(request.substr(begin, request.find("\r\n", begin) - begin));
}

} // namespace

member_links::gate::gate(asio::io_context& context, std::uint16_t member)
    : target(asio::ip::address_v4::loopback(), member),
      acceptor(listen_on_loopback(context)),
      port(acceptor.local_endpoint().port()) {}

member_links::link::link(tcp::socket from, const gate& behind)
    : client(std::move(from)), server(client.get_executor()), to(&behind) {}

void member_links::link::close() {
    boost::system::error_code ignored;
    client.close(ignored);
    server.close(ignored);
}

member_links::member_links(const std::vector<std::uint16_t>& members) : work_(context_.get_executor()) {
    const auto fail_loudly = [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    };
    for (const std::uint16_t member : members) {
        gates_.push_back(std::make_unique<gate>(context_, member));
        asio::co_spawn(context_, accept(*gates_.back()), fail_loudly);
    }
    thread_.emplace(context_);
}

member_links::~member_links() = default;

void member_links::run_in_thread(const std::function<void()>& action) {
    std::promise<void> done;
    asio::dispatch(context_, [&] {
        action();
        done.set_value();
    });
    done.get_future().wait();
}

void member_links::name(std::size_t member, std::string id) {
    run_in_thread([&] { gates_[member]->id = std::move(id); });
}

void member_links::cut_off(std::size_t member) {
    run_in_thread([&] { gates_[member]->is_cut_off = true; });
}

void member_links::join() {
    run_in_thread([&] {
        for (const auto& each : gates_)
            each->is_cut_off = false;
        for (const auto& each : links_)
            if (const auto one = each.lock(); one && one->lost_bytes) one->close();
    });
}

bool member_links::is_cut(const link& one) const {
    if (one.to->is_cut_off) return true;
    return !one.sender.empty() && std::ranges::any_of(gates_, [&](const auto& each) {
        return each->is_cut_off && each->id == one.sender;
    });
}

asio::awaitable<void> member_links::accept(gate& at) {
    for (;;) {
        auto [failure, client] = co_await at.acceptor.async_accept(as_outcome);
        if (failure) co_return;
        std::erase_if(links_, [](const auto& each) { return each.expired(); });
        auto one = std::make_shared<link>(std::move(client), at);
        links_.push_back(one);
        asio::co_spawn(context_, carry(std::move(one)), asio::detached);
    }
}

asio::awaitable<void> member_links::carry(shared_link one) {
    constexpr std::size_t longest_head = 16 * 1024;
    std::string head;
    auto buffer = asio::dynamic_buffer(head, longest_head);
    const auto [failure, size] = co_await asio::async_read_until(one->client, buffer, "\r\n\r\n", as_outcome);
    if (failure) co_return one->close();
    one->sender = sender_of(std::string_view(head).substr(0, size));
    one->lost_bytes = is_cut(*one);
    if (!one->lost_bytes) {
        const auto [refused] = co_await one->server.async_connect(one->to->target, as_outcome);
        if (refused) co_return one->close();
        const auto [lost, written] = co_await asio::async_write(one->server, asio::buffer(head), as_outcome);
        if (lost) co_return one->close();
        asio::co_spawn(context_, pump(one, one->server, one->client), asio::detached);
    }
    co_await pump(one, one->client, one->server);
}

asio::awaitable<void> member_links::pump(shared_link one, tcp::socket& from, tcp::socket& to) {
    const auto bytes = std::make_unique<std::array<char, 16 * 1024>>();
    for (;;) {
        const auto [failure, size] = co_await from.async_read_some(asio::buffer(*bytes), as_outcome);
        if (failure) break;
        // Once bytes are missing from a stream, nothing that follows may arrive.
        one->lost_bytes = one->lost_bytes || is_cut(*one);
        if (one->lost_bytes) continue;
        const auto [lost, written] = co_await asio::async_write(to, asio::buffer(*bytes, size), as_outcome);
        if (lost) break;
    }
    one->close();
}

} // namespace redlock::test
