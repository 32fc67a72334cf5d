#define BOOST_TEST_MODULE lock
#include <boost/test/unit_test.hpp>
