#include "network/name_server.hpp"

#include "network/own_network.hpp"
#include "support/system_error.hpp"

#include <arpa/inet.h>
#include <cctype>
#include <sys/socket.h>
#include <utility>

namespace redlock::test {
namespace {

constexpr std::size_t header_size = 12;
constexpr int no_error = 0;
constexpr int server_failure = 2;
constexpr int no_such_name = 3;

std::string sixteen_bits(std::size_t number) {
    return {static_cast<char>(number >> 8), static_cast<char>(number)};
}

/// An A or AAAA record of the name that was asked for.
std::string record_of(bool six, std::string_view address) {
    const std::string name_of_question = sixteen_bits(0xc000 + header_size);
    const std::string kind = sixteen_bits(six ? 28 : 1) + sixteen_bits(1) + std::string(4, '\0');
    return name_of_question + kind + sixteen_bits(address.size()) + std::string(address);
}

} // namespace

name_server::name_server() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    ::sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(53);
    ::inet_pton(AF_INET, name_server_address, &here.sin_addr);
    if (::bind(socket_.get(), reinterpret_cast<const ::sockaddr*>(&here), sizeof here) != 0)
        throw_errno("bind to port 53");
    thread_ = std::thread([this] { run(); });
}

name_server::~name_server() {
    ::shutdown(socket_.get(), SHUT_RD); // which ends the wait of the thread, though there is no connection
    thread_.join();
    for (const auto& asked : std::exchange(held_, {}))
        answer(asked, {.how = manner::refuses});
}

void name_server::tell(const std::string& name, std::vector<std::string> addresses) {
    set(name, manner::answers, std::move(addresses));
}

void name_server::refuse(const std::string& name) { set(name, manner::refuses, {}); }

void name_server::hold(const std::string& name) { set(name, manner::holds, {}); }

unsigned name_server::asked(const std::string& name) {
    const std::lock_guard guard(mutex_);
    return names_[name].asked;
}

void name_server::set(const std::string& name, manner how, std::vector<std::string> addresses) {
    const std::lock_guard guard(mutex_);
    entry& known = names_[name];
    known.how = how;
    known.addresses = std::move(addresses);
    if (how == manner::holds) return;
    std::erase_if(held_, [&](const question& asked) {
        if (asked.name != name) return false;
        answer(asked, known);
        return true;
    });
}

void name_server::run() {
    char message[512];
    ::sockaddr_in from{};
    for (;;) {
        ::socklen_t size = sizeof from;
        const auto n = ::recvfrom(socket_.get(), message, sizeof message, 0,
                                  reinterpret_cast<::sockaddr*>(&from), &size);
        if (n <= 0) return;
        take({message, static_cast<std::size_t>(n)}, from);
    }
}

void name_server::take(std::string_view message, const ::sockaddr_in& from) {
    question asked{.from = from};
    std::size_t at = header_size;
    while (at < message.size() && message[at] != 0) {
        const auto size = static_cast<std::size_t>(message[at]);
        if (!asked.name.empty()) asked.name += '.';
        for (const char c : message.substr(at + 1, size))
            asked.name += static_cast<char>(std::tolower(c));
        at += 1 + size;
    }
    asked.message = message.substr(0, at + 5); // the end of the name, the kind and the class of the record
    if (asked.message.size() < at + 5) return;
    const std::lock_guard guard(mutex_);
    entry& known = names_[asked.name];
    ++known.asked;
    if (known.how == manner::holds)
        held_.push_back(std::move(asked));
    else
        answer(asked, known);
}

void name_server::answer(const question& asked, const entry& known) {
    const bool six = asked.message[asked.message.size() - 3] == 28;
    std::string records;
    std::size_t count = 0;
    for (const auto& address : known.addresses) {
        char bytes[16];
        if ((address.find(':') != address.npos) != six) continue;
        ::inet_pton(six ? AF_INET6 : AF_INET, address.c_str(), bytes);
        records += record_of(six, {bytes, six ? 16u : 4u});
        ++count;
    }
    const int result = known.how != manner::answers ? server_failure
                       : known.addresses.empty()    ? no_such_name
                                                    : no_error;
    const std::string header = asked.message.substr(0, 2) +
                               sixteen_bits(0x8180 + static_cast<std::size_t>(result)) + sixteen_bits(1) +
                               sixteen_bits(count) + sixteen_bits(0) + sixteen_bits(0);
    const std::string text = header + asked.message.substr(header_size) + records;
    ::sendto(socket_.get(), text.data(), text.size(), 0, reinterpret_cast<const ::sockaddr*>(&asked.from),
             sizeof asked.from);
}

} // namespace redlock::test
