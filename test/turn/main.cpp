#define BOOST_TEST_MODULE turn
#include <boost/test/unit_test.hpp>
