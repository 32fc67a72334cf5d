#include "stranger.hpp"

#include "engines/zookeeper/wire/jute_reader.hpp"
#include "engines/zookeeper/wire/requests.hpp"
#include "support/eventually.hpp"

#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>

namespace redlock::test {

using namespace zookeeper;

stranger::stranger(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{.tv_sec = patience.count(), .tv_usec = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
        throw std::runtime_error("the server is not reached");
    send(connect_packet({.timeout = 6'000}));
    if (const auto granted = read_session_grant(receive()); !granted || granted->session == 0)
        throw std::runtime_error("the server grants no session");
}

void stranger::send(const std::string& bytes) {
    if (::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the server takes nothing");
}

std::string stranger::receive() {
    const auto get = [&](std::size_t size) {
        std::string all(size, '\0');
        if (::recv(socket_.get(), all.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size))
            throw std::runtime_error("the server does not answer");
        return all;
    };
    const std::string head = get(sizeof(std::int32_t));
    jute_reader size(head);
    return get(static_cast<std::size_t>(size.get_int()));
}

stranger::answer stranger::ask(const request_body& asks) {
    std::string packet;
    append_packet(packet, ++number_, asks);
    send(packet);
    const std::string told = receive();
    std::string_view body;
    const auto head = read_head(told, body);
    if (!head || head->number != number_) throw std::runtime_error("the server answers something else");
    return {head->failed, std::string(body)};
}

void stranger::do_all(multi& m) {
    const answer a = ask(m.finish());
    const auto all = read_multi(a.body);
    if (a.failed != fault::none || !all || all->front().failed != fault::none)
        throw std::runtime_error("the server has not done it");
}

void stranger::create(const std::string& path, std::string_view data) {
    multi m;
    do_all(m.create(path, data, life_of_node::persistent, access::everybody));
}

void stranger::write(const std::string& path, std::string_view data) {
    multi m;
    do_all(m.set_data(path, data, any_version));
}

void stranger::remove(const std::string& path) {
    multi m;
    do_all(m.remove(path));
}

std::optional<data_reply> stranger::read(const std::string& path) {
    const answer a = ask(get_data(path, false));
    if (a.failed == fault::no_node) return std::nullopt;
    auto found = read_data(a.body);
    if (a.failed != fault::none || !found) throw std::runtime_error("the server does not tell of " + path);
    return found;
}

std::vector<std::string> stranger::children(const std::string& path) {
    const answer a = ask(get_children(path));
    const auto found = read_children(a.body);
    if (a.failed != fault::none || !found) throw std::runtime_error("the server does not tell of " + path);
    return found->names;
}

} // namespace redlock::test
