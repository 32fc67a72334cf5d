#define BOOST_TEST_MODULE zookeeper
#include <boost/test/unit_test.hpp>
