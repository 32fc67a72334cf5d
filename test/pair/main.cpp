#define BOOST_TEST_MODULE pair
#include <boost/test/unit_test.hpp>
