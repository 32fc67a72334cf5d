#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

/// A raw non-blocking connection to one Redis node whose every pipelined reply is one line.
/// Throws `std::system_error` or `std::runtime_error` naming the node when anything goes wrong.
class wire_node {
public:
    explicit wire_node(std::uint16_t port);
    wire_node(wire_node&& other) noexcept;
    wire_node& operator=(wire_node&&) = delete;
    ~wire_node();

    int socket() const noexcept { return socket_; }
    const std::string& name() const noexcept { return name_; }

    /// Sends a command and waits, at most 5 s, for its reply, which must not be an error. Only while nothing
    /// else is outstanding.
    std::string ask(std::string_view command);

    void append(std::string_view command) { out_.append(command); }

    /// Writes what was appended as far as the socket takes it; false when something is left over.
    bool flush();

    /// Reads what has arrived, at most 64 KiB, and calls `on_line` for each complete line without its line
    /// end.
    template <typename OnLine>
    void read_lines(OnLine&& on_line) {
        std::string_view rest = receive();
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            on_line(rest.substr(0, end - 1));
            rest.remove_prefix(end + 1);
        }
        keep(rest);
    }

private:
    std::string_view receive();
    void keep(std::string_view rest);
    [[noreturn]] void fail(const char* what) const;

    static constexpr std::size_t in_size = 65536;
    std::string name_;
    int socket_ = -1;
    std::string out_;
    std::size_t sent_ = 0;
    std::string in_;
    std::size_t kept_ = 0;
};

} // namespace bench
