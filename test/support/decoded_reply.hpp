#pragma once

#include "engines/redis/resp/reader.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace redlock::test {

/// A reply out of its bytes, for tests of what is made of it.
class decoded_reply {
public:
    /// Valid until the next one.
    const resp::reply& of(std::string_view bytes) {
        reader_.reset();
        auto read = resp::read_status::incomplete;
        while (read == resp::read_status::incomplete && !bytes.empty()) {
            const auto space = reader_.prepare();
            const std::size_t size = std::min(space.size(), bytes.size());
            std::memcpy(space.data(), bytes.data(), size);
            reader_.commit(size);
            bytes.remove_prefix(size);
            read = reader_.next(last_);
        }
        BOOST_REQUIRE((read == resp::read_status::complete));
        BOOST_REQUIRE(bytes.empty());
        return last_;
    }

private:
    resp::reader reader_;
    resp::reply last_;
};

} // namespace redlock::test
