#pragma once

#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/messages/ranges.hpp"
#include "engines/etcd/messages/transaction.hpp"
#include "engines/etcd/messages/watches.hpp"
#include "etcd_line/asked.hpp"
#include "etcd_line/line_loop.hpp"
#include "support/etcd_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace redlock::test {

namespace messages = etcd::messages;

/// That no busy machine makes a healthy server miss.
inline constexpr std::chrono::seconds long_patience{5};

inline etcd::line_settings to_ports(const std::vector<std::uint16_t>& ports,
                                    core::nanoseconds patience = long_patience) {
    etcd::line_settings s{.endpoints = {}, .patience = patience};
    for (const std::uint16_t port : ports)
        s.endpoints.push_back({.host = "127.0.0.1", .port = port});
    return s;
}

template <class Message>
std::string encoded(const Message& m) {
    std::string all;
    append(all, m);
    return all;
}

template <class Content>
messages::reply<Content> decoded(std::string_view response) {
    messages::reply<Content> into;
    BOOST_TEST_REQUIRE((messages::read(response, into) == messages::fault::none));
    return into;
}

inline std::string put(const std::string& key, const std::string& value = "value") {
    return encoded(messages::put_request{.key = key, .value = value});
}

using result_pointer = std::shared_ptr<call_result>;

/// A line, and calls over it.
struct line_fixture {
    explicit line_fixture(etcd::line_settings s) : loop(std::move(s)) {}

    result_pointer ask(const etcd::method& m, const std::string& request, core::nanoseconds patience = {},
                       bool outlasts = false) {
        const auto told = std::make_shared<call_result>();
        loop.turn([&] { loop.line().submit(*new asked_call(m, request, told, patience, outlasts)); });
        return told;
    }
    bool ends(const result_pointer& r) {
        return loop.run_until([&] { return r->done(); });
    }
    /// The response; throws where there is none.
    std::string answer(const etcd::method& m, const std::string& request) {
        const result_pointer r = ask(m, request);
        if (!ends(r)) throw std::runtime_error("the call did not end");
        if (r->failed) throw std::runtime_error("the call failed: " + r->failed->text);
        return *r->response;
    }
    /// That it fails, and how.
    etcd::failure refusal(const result_pointer& r) {
        BOOST_TEST_REQUIRE(ends(r));
        BOOST_TEST_REQUIRE(r->failed.has_value());
        return *r->failed;
    }
    messages::reply<messages::range_result> range(const std::string& key) {
        return decoded<messages::range_result>(
            answer(etcd::methods::range, encoded(messages::range_request{.key = key})));
    }

    line_loop loop;
};

/// A cluster of one member, alone.
struct member_fixture {
    explicit member_fixture(etcd_options options = {}) : server(std::move(options)) {}
    etcd_server server;
};

} // namespace redlock::test
