#define BOOST_TEST_MODULE blocking
#include <boost/test/unit_test.hpp>
