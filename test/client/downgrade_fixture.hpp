#pragma once

#include "read_write_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace redlock::test {

template <class Fixture>
struct downgrades_on : Fixture {
    using Fixture::Fixture;

    error_code downgrade(lease& held) {
        outcome<> result;
        held.async_downgrade(result.handler());
        BOOST_REQUIRE(this->run_until([&] { return result.done(); }));
        return result.error();
    }
    /// Soon: the key is given back behind the verdict.
    bool comes_to_be_read(client& by) {
        lock_options options = to_read();
        options.wait = 20s;
        return !this->try_lock(by, "key", options);
    }
    std::size_t nodes_with_readers() { return this->nodes.holders(readers_of_key); }
};

} // namespace redlock::test
