#define BOOST_TEST_MODULE election
#include <boost/test/unit_test.hpp>
