#include "engines/zookeeper/session/server_word.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

server_word::server_word(turn::turns& t, std::shared_ptr<network::stream> over, handler told)
    : turns_(t), wire_(std::move(over)), told_(std::move(told)) {}

void server_word::ask(const network::destination& whom, core::nanoseconds patience) {
    turns_.timers().arm(*this, core::saturating_add(turns_.now(), patience));
    wire_->async_connect(whom, 0, shared_from_this());
}

void server_word::let_go() noexcept {
    told_ = nullptr;
    disarm();
    wire_->close();
}

void server_word::on_connected(error_code ec) {
    if (!told_) return;
    turns_.begin();
    if (!ec) wire_->write_some("srvr", ec);
    if (ec)
        tell();
    else
        read();
    turns_.end();
}

void server_word::read() { wire_->async_read_some(input_, shared_from_this()); }

void server_word::on_read(error_code ec, std::size_t n) {
    if (!told_) return;
    turns_.begin();
    if (!ec) answer_.append(input_.data(), n);
    if (ec || answer_.size() > longest_answer)
        tell();
    else
        read();
    turns_.end();
}

// Whoever is told may let go of this.
void server_word::tell() {
    const auto alive = shared_from_this();
    const handler told = std::exchange(told_, nullptr);
    let_go();
    if (told) told(answer_);
}

std::string version_in(std::string_view answer) {
    constexpr std::string_view before = "Zookeeper version: ";
    constexpr std::size_t longest = 32;
    const std::size_t at = answer.find(before);
    if (at == answer.npos) return {};
    answer.remove_prefix(at + before.size());
    const auto end = std::ranges::find_if(answer, [](char c) { return c != '.' && (c < '0' || c > '9'); });
    return std::string(answer.substr(0, std::min(longest, static_cast<std::size_t>(end - answer.begin()))));
}

} // namespace redlock::zookeeper
