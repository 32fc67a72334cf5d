#define BOOST_TEST_MODULE chaos
#include <boost/test/unit_test.hpp>
