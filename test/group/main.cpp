#define BOOST_TEST_MODULE group
#include <boost/test/unit_test.hpp>
