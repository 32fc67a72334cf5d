#define BOOST_TEST_MODULE etcd
#include <boost/test/unit_test.hpp>
