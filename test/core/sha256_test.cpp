#include "core/sha256.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <string>

namespace redlock::core {
namespace {

std::string digits_of(std::string_view bytes) {
    std::string all;
    for (const std::uint32_t word : sha256(bytes))
        all += fmt::format("{:08x}", word);
    return all;
}

BOOST_AUTO_TEST_SUITE(sha256_suite)

// Of FIPS 180-4 and its examples, and what lies at the end of a block.
BOOST_AUTO_TEST_CASE(known_texts_have_their_digest) {
    BOOST_TEST(digits_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    BOOST_TEST(digits_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(digits_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    BOOST_TEST(digits_of(std::string(1'000'000, 'a')) ==
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    BOOST_TEST(digits_of(std::string(55, '\xff')) ==
               "aadaed00a3c5fbb8072ae7f1984ba8199fbe5272de427d11eaf31583af37db51");
    BOOST_TEST(digits_of(std::string(56, '\xff')) ==
               "528ff50ab05e77bbbd224a9ec86165dbb6824a9a9efb544be0a1d57d5b416457");
    BOOST_TEST(digits_of(std::string(63, '\xff')) ==
               "d12449c8124182545ae91924286cc6af13528bcf62a5ddbd5e00b891fffc1b48");
    BOOST_TEST(digits_of(std::string(64, '\xff')) ==
               "8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7");
    BOOST_TEST(digits_of(std::string(65, '\xff')) ==
               "855c9a28fff2bbbd71327165554a00c6fdd44d5d58c1f12b8fdff29b5d67f001");
    BOOST_TEST(digits_of(std::string(119, '\xff')) ==
               "b863f94597d433ef2280e3b4656f13ea265a79bb8047287321c218905b03c99b");
    BOOST_TEST(digits_of(std::string(120, '\xff')) ==
               "9088fee917e5a748c2f0b4f5458c1cbdabbd696291c69be6e605bae0ef779e8f");
    BOOST_TEST(digits_of(std::string(2048, '\xff')) ==
               "d0ff1b294b5288d1ae1421eadf5b2d38a8752b76d472ff30bed9028e25b1c5b8");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::core
