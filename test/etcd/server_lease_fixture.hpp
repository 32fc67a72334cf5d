#pragma once

#include "engines/etcd/rule/server_leases.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <span>

namespace redlock::etcd {

using namespace std::chrono_literals;
using need = server_lease::need;

inline constexpr core::instant first_day{1h};

struct counted_bits final : core::entropy {
    void fill(std::span<std::uint8_t> out) override {
        ++drawn;
        for (std::uint8_t& byte : out)
            byte = drawn;
    }
    std::uint8_t drawn = 0;
};

struct counting_tenant final : tenant {
    void lease_lives() noexcept override { ++lives; }
    void lease_failed(errc) noexcept override { ++failures; }
    void lease_is_lost() noexcept override { ++losses; }
    int lives = 0, failures = 0, losses = 0;
};

struct lease_fixture {
    counted_bits bits;
    server_leases leases{bits};
    counting_tenant somebody;

    server_lease_pointer granted(core::instant now = first_day, std::chrono::milliseconds life = 10s) {
        const server_lease_pointer one = leases.shared(life);
        one->join(somebody);
        BOOST_TEST((one->needs(now) == need::grant));
        one->sending(now, 7);
        BOOST_TEST(one->granted(one->ttl(), 7));
        return one;
    }
    static void keep_alive(server_lease& one, core::instant now, std::uint64_t term = 7) {
        one.sending(now, 7);
        BOOST_TEST(one.kept_alive(one.ttl()));
        one.proven(term);
    }
};

} // namespace redlock::etcd
