#pragma once

#include "sim/keyspace.hpp"
#include "sim/script_engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace redlock::sim {

/// Scripts on keys, without a server.
struct scripted_keyspace : keyspace_listener, keyless_commands {
    /// A script of any text, given these arguments.
    value run(const std::string& script, words arguments = {}) {
        arguments.insert(arguments.begin(), {"EVAL", script, "0"});
        return scripts.run(script, arguments);
    }

    void key_changed(std::string_view event, const std::string& key) override {
        told += std::string(event) + " " + key + ", ";
    }
    void life_changed(const std::string&) override {}
    std::optional<value> answer(const words& command) override {
        if (command[0] != "time") return std::nullopt;
        return value::array({value::text("17"), value::text("4")});
    }

    std::string told;
    keyspace keys{*this, 1};
    script_engine scripts{keys, *this};
};

} // namespace redlock::sim
