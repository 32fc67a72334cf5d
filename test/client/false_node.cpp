#include "false_node.hpp"

#include <algorithm>

namespace redlock::test {

namespace {

std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

std::string confirmation(std::string_view what, std::string_view channel) {
    return ">3\r\n" + bulk(what) + bulk(channel) + ":1\r\n";
}

std::string deletion(std::string_view key) {
    return ">3\r\n" + bulk("message") + bulk("__keyspace@0__:" + std::string(key)) + bulk("del");
}

bool has(const command_parser::command& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

peer_script misleading(const false_node& how, std::string run_id) {
    peer_script script;
    script.answer = [how, id = std::move(run_id)](const command_parser::command& words) -> std::string {
        const std::string& name = words.at(0);
        if (name == "HELLO") return "%1\r\n+server\r\n+redis\r\n";
        if (name == "INFO")
            return bulk("redis_version:7.0.0\r\nrole:master\r\nrun_id:" + id + "\r\n" + how.info);
        if (name == "SUBSCRIBE" || name == "UNSUBSCRIBE")
            return confirmation(name == "SUBSCRIBE" ? "subscribe" : "unsubscribe", words.at(1));
        if (name == "PTTL") return ":" + how.life + "\r\n";
        if (name == "DEL") return ":1\r\n" + (how.events ? deletion(words.at(1)) : std::string());
        if (name == "PUBSUB") return "*2\r\n" + bulk(words.at(2)) + ":0\r\n";
        if (name == "EVAL" || name == "EVALSHA") return ":" + how.fence + "\r\n";
        if (name == "ZADD") return ":0\r\n";
        if (name != "SET" || !has(words, "NX")) return "+OK\r\n";
        const bool returns_holder = has(words, "GET");
        if (how.nameless && returns_holder) return "-ERR syntax error\r\n";
        if (how.repents && *how.repents) return returns_holder ? "_\r\n" : "+OK\r\n";
        return (returns_holder ? bulk("somebody") : "_\r\n") +
               (how.events ? deletion(words.at(1)) : std::string());
    };
    return script;
}

} // namespace redlock::test
