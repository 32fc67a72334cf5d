#include "support/redis_connection.hpp"

#include "support/system_error.hpp"

#include <ostream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

namespace redlock::test {

std::ostream& operator<<(std::ostream& out, const redis_answer& answer) {
    switch (answer.kind) {
    case answer_kind::null:
        return out << "(null)";
    case answer_kind::text:
        return out << '"' << answer.text << '"';
    case answer_kind::error:
        return out << "error " << answer.text;
    case answer_kind::integer:
        return out << answer.integer;
    case answer_kind::array:
        break;
    }
    out << '[';
    for (const auto& element : answer.elements)
        out << ' ' << element;
    return out << " ]";
}

std::string encode_command(const std::vector<std::string>& arguments) {
    std::string bytes = "*" + std::to_string(arguments.size()) + "\r\n";
    for (const auto& argument : arguments)
        bytes += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
    return bytes;
}

redis_connection::redis_connection(const std::string& socket_path, std::chrono::milliseconds limit)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (!socket_) throw_errno("socket");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_path.size() >= sizeof address.sun_path)
        throw std::length_error("too long for a socket: " + socket_path);
    socket_path.copy(address.sun_path, socket_path.size());
    const timeval wait{limit.count() / 1000, limit.count() % 1000 * 1000};

    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw_errno("connect to " + socket_path);
}

redis_answer redis_connection::command(const std::vector<std::string>& arguments) {
    send(encode_command(arguments));
    return read_answer();
}

void redis_connection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (size < 0) throw_errno("send to redis-server");
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
}

void redis_connection::receive() {
    char chunk[16'384];
    const auto size = ::recv(socket_.get(), chunk, sizeof chunk, 0);
    if (size < 0) throw_errno("receive from redis-server");
    if (size == 0)
        throw std::system_error(ECONNRESET, std::generic_category(), "redis-server closed the connection");
    received_.append(chunk, static_cast<std::size_t>(size));
}

std::string redis_connection::read_line() {
    std::size_t end;
    while ((end = received_.find("\r\n")) == std::string::npos)
        receive();
    std::string line = received_.substr(0, end);
    received_.erase(0, end + 2);
    return line;
}

std::string redis_connection::read_bytes(std::size_t size) {
    while (received_.size() < size + 2)
        receive();
    std::string bytes = received_.substr(0, size);
    received_.erase(0, size + 2);
    return bytes;
}

redis_answer redis_connection::read_answer() {
    using kind = answer_kind;
    const std::string line = read_line();
    const std::string rest = line.substr(1);
    redis_answer answer;
    switch (line[0]) {
    case '+':
        answer = {kind::text, rest, 0, {}};
        break;
    case '-':
        answer = {kind::error, rest, 0, {}};
        break;
    case ':':
        answer = {kind::integer, {}, std::stoll(rest), {}};
        break;
    case '$':
        if (rest != "-1") answer = {kind::text, read_bytes(std::stoul(rest)), 0, {}};
        break;
    case '*':
        if (rest == "-1") break;
        answer.kind = kind::array;
        for (auto left = std::stoul(rest); left > 0; --left)
            answer.elements.push_back(read_answer());
        break;
    default:
        throw std::runtime_error("not RESP2: " + line);
    }
    return answer;
}

} // namespace redlock::test
