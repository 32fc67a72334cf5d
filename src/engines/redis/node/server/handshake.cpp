#include "engines/redis/node/server/handshake.hpp"

#include "engines/redis/resp/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::node {
namespace {

/// The first word of an error: by convention in capitals, and the only part of it that is meant for programs.
std::string_view code_of(std::string_view words) noexcept { return words.substr(0, words.find(' ')); }

bool says(std::string_view words, std::string_view lower_case) noexcept {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return std::search(words.begin(), words.end(), lower_case.begin(), lower_case.end(), same) != words.end();
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) noexcept {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

handshake::handshake(const address& to, std::string_view client_name, wishes wanted)
    : user_(to.user),
      password_(to.password),
      client_name_(client_name),
      database_(to.database),
      only_resp3_(wanted.only_resp3),
      resp3_(!wanted.only_resp2),
      wants_clock_(wanted.clock) {}

void handshake::begin(std::string& out) {
    if (!resp3_) return begin_resp2(out);
    ask(out, command::hello);
    if (database_ != 0) ask(out, command::select);
    ask_of_server(out);
}

void handshake::ask_of_server(std::string& out) {
    ask(out, command::info);
    if (wants_clock_) ask(out, command::time);
}

void handshake::begin_resp2(std::string& out) {
    if (!password_.empty()) ask(out, command::auth);
    if (!client_name_.empty()) ask(out, command::set_name);
    if (database_ != 0) ask(out, command::select);
    ask_of_server(out);
}

void handshake::ask(std::string& out, command c) {
    const std::string_view user = user_.empty() ? std::string_view("default") : user_;
    std::vector<std::string_view> words;
    const resp::decimal database(database_);
    switch (c) {
    case command::hello:
        words = {"HELLO", "3"};
        // One at a time: g++ 12 at -O3 sees an overrun where a list is inserted.
        if (!password_.empty()) {
            words.push_back("AUTH");
            words.push_back(user);
            words.push_back(password_);
        }
        if (!client_name_.empty()) {
            words.push_back("SETNAME");
            words.push_back(client_name_);
        }
        break;
    case command::auth:
        words = {"AUTH"};
        if (!user_.empty()) words.push_back(user_); // servers without HELLO may know passwords, but no users
        words.push_back(password_);
        break;
    case command::set_name:
        words = {"CLIENT", "SETNAME", client_name_};
        break;
    case command::select:
        words = {"SELECT", database};
        break;
    case command::info:
        words = {"INFO"};
        break;
    case command::time:
        words = {"TIME"};
        break;
    }
    resp::append_command(out, words);
    asked_.push_back(c);
}

handshake::progress handshake::take(const resp::reply& reply, std::string& out) {
    if (answered_ == asked_.size()) return fail(errc::protocol_error, "sent a reply to no command");
    const auto c = asked_[answered_++];
    const bool first_write = asked_.front() == command::hello;
    // Once HELLO was refused, what followed it in the same write says nothing: it may only have lacked the
    // login.
    if (!(first_write && !resp3_) && judge(c, reply) == progress::failed) return progress::failed;
    if (answered_ < asked_.size()) return progress::pending;
    if (resp3_ || !first_write) {
        // It lets us in and answers INFO, but neither locks nor, what is worse, unlocks.
        if (server_.loading)
            return fail(errc::node_unavailable, "cannot serve for the moment: it loads its data");
        server_.protocol = resp3_ ? 3 : 2;
        server_.database = database_;
        return progress::complete;
    }
    asked_.clear();
    answered_ = 0;
    begin_resp2(out);
    return progress::pending;
}

handshake::progress handshake::fail(errc why, std::string problem) {
    failure_ = why;
    problem_ = std::move(problem);
    return progress::failed;
}

handshake::progress handshake::judge(command c, const resp::reply& reply) {
    return reply.is(resp::kind::error) ? judge_error(c, reply.text()) : judge_value(c, reply);
}

handshake::progress handshake::judge_error(command c, std::string_view words) {
    const auto code = code_of(words);
    if (is_one_of(code, {"LOADING", "MASTERDOWN", "BUSY"}) || says(words, "max number of clients"))
        return fail(errc::node_unavailable, fmt::format("cannot serve for the moment: {}", quote(words)));
    if (code == "DENIED") return fail(errc::permission_denied, fmt::format("refuses us: {}", quote(words)));
    // Nobody says so of a HELLO with a login who knows it; Valkey 9.1 does of any command that it does not.
    const bool unknown_hello = c == command::hello && !password_.empty() && code == "NOAUTH" &&
                               says(words, "authentication required");
    if (code == "NOAUTH" && !unknown_hello)
        return fail(errc::authentication_failed, "wants a password, and none was given");
    if (code == "WRONGPASS" || c == command::auth)
        return fail(errc::authentication_failed, "refused the user or the password");
    switch (c) {
    case command::hello:
        // The words of this error are never shown: "unknown command" repeats the arguments, the password
        // among them.
        if (!unknown_hello && !is_one_of(code, {"NOPROTO", "NOPERM"}) && !says(words, "unknown command"))
            return fail(errc::protocol_error, "answered HELLO with an error that makes no sense there");
        if (only_resp3_)
            return fail(errc::protocol_error,
                        "does not speak RESP3 (Redis 6 or later), which a cluster has to");
        resp3_ = false;
        return progress::pending;
    case command::select:
        if (code == "NOPERM")
            return fail(errc::permission_denied,
                        fmt::format("forbids SELECT {}: {}", database_, quote(words)));
        return fail(errc::server_error, fmt::format("refused SELECT {}: {}", database_, quote(words)));
    default:
        return progress::pending; // a name or some facts less
    }
}

handshake::progress handshake::judge_value(command c, const resp::reply& reply) {
    switch (c) {
    case command::hello:
        if (read_hello(reply, server_)) return progress::pending;
        return fail(errc::protocol_error, "answered HELLO with something that Redis never answers");
    case command::info:
        if (!reply.is(resp::kind::text)) return fail(errc::protocol_error, "answered INFO with no text");
        read_info(reply.text(), server_);
        return progress::pending;
    case command::time:
        server_.clock = read_time(reply);
        if (server_.clock) return progress::pending;
        return fail(errc::protocol_error, "answered TIME with something that is no time");
    default:
        if (reply.is_ok()) return progress::pending;
        return fail(errc::protocol_error,
                    "answered neither OK nor an error where Redis has nothing else to say");
    }
}

std::string handshake::quote(std::string_view words) const {
    if (!password_.empty() && words.find(password_) != words.npos) return "(words withheld)";
    constexpr std::size_t longest = 120;
    std::string quoted(words.substr(0, longest));
    std::replace_if(
        quoted.begin(), quoted.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return quoted;
}

} // namespace redlock::node
