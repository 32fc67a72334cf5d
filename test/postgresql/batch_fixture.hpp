#pragma once

#include "engines/sql/postgresql/session/handshake.hpp"
#include "engines/sql/session/batch.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::postgresql {

/// Requests that leave together, and what answers say to them.
struct batch_fixture {
    using batch = sql::batch;
    using reply = sql::reply;
    using request = sql::request;
    using kind = request::kind;
    using told = reply::kind;

    struct asked final : request {
        using request::request;
        void answered(const reply&) noexcept override {}
    };

    request& ask(kind k, const std::string& key) {
        const core::lock_token drawn(core::client_name(1), 0, ++draws);
        auto c = std::make_shared<sql::claim>("", engine::key_name(detail::key_text(key)), drawn);
        requests.push_back(std::make_unique<asked>(k, std::move(c), std::chrono::milliseconds(1000)));
        all.add(*requests.back());
        return *requests.back();
    }
    std::map<const request*, reply> read(const std::vector<sql::answer>& answers) {
        std::map<const request*, reply> replies;
        for (const auto& [r, what] : all.read(answers, core::instant{}, meaning_of))
            replies[r] = what;
        BOOST_TEST(all.empty());
        return replies;
    }
    static sql::answer rows(std::vector<sql::answer::row> r) { return {.rows = std::move(r)}; }

    std::uint64_t draws = 0;
    std::vector<std::unique_ptr<request>> requests;
    batch all;
};

} // namespace redlock::postgresql
