#define BOOST_TEST_MODULE quorum
#include <boost/test/unit_test.hpp>
