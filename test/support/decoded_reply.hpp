#pragma once

#include "engines/redis/resp/reader.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <string_view>

namespace redlock::test {

/// A reply out of its bytes, for tests of what is made of it.
class decoded_reply {
public:
    /// Valid until the next one.
    const resp::reply& of(std::string_view bytes) {
        reader_.reset();
        const auto space = reader_.prepare();
        BOOST_REQUIRE(space.size() >= bytes.size());
        std::memcpy(space.data(), bytes.data(), bytes.size());
        reader_.commit(bytes.size());
        BOOST_REQUIRE((reader_.next(last_) == resp::read_status::complete));
        return last_;
    }

private:
    resp::reader reader_;
    resp::reply last_;
};

} // namespace redlock::test
