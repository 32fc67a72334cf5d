#include "bench/load/load_line.hpp"

#include "bench/bench_counts.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <type_traits>

namespace redlock::tool {
namespace {

struct header {
    load_word word{};
    std::int64_t number = 0;
};

static_assert(std::is_trivially_copyable_v<load_report>);
constexpr std::size_t largest_text = sizeof(load_report);
constexpr timeval patience{5, 0};

} // namespace

std::array<load_line, 2> load_line::connected_pair() {
    int ends[2];
    checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
    for (const int end : ends)
        ::setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return {load_line(descriptor(ends[0])), load_line(descriptor(ends[1]))};
}

bool load_line::put(load_word word, std::int64_t number, std::string_view bytes, int flags) const noexcept {
    header head{word, number};
    const std::string_view part = bytes.substr(0, largest_text);
    std::array<iovec, 2> pieces{{{&head, sizeof head}, {const_cast<char*>(part.data()), part.size()}}};
    msghdr all{};
    all.msg_iov = pieces.data();
    all.msg_iovlen = pieces.size();
    for (;;) {
        if (::sendmsg(end_.number(), &all, MSG_NOSIGNAL | flags) >= 0) return true;
        if (errno != EINTR) return false;
    }
}

bool load_line::try_send(load_word word, std::int64_t number, std::string_view bytes) const noexcept {
    return put(word, number, bytes, MSG_DONTWAIT);
}

// A failure shows as the end of the line.
void load_line::send(load_word word, std::int64_t number, std::string_view bytes) const noexcept {
    put(word, number, bytes, 0);
}

std::optional<load_message> load_line::receive() {
    std::array<char, sizeof(header) + largest_text> bytes;
    const auto size = ::recv(end_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    header head{};
    if (size < static_cast<ssize_t>(sizeof head)) {
        ended_ = true;
        return std::nullopt;
    }
    std::memcpy(&head, bytes.data(), sizeof head);
    return load_message{head.word, head.number, std::string(bytes.data() + sizeof head, bytes.data() + size)};
}

} // namespace redlock::tool
