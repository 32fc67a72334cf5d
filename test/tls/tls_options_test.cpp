#include "support/authority.hpp"

#include <redlock/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

// What is said of files that are no good, when the client is made.

namespace redlock::test {
namespace {

struct refusal {
    std::error_code code;
    std::string text;

    bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
};

refusal refusal_of(const tls_options& tls, const char* node = "rediss://127.0.0.1:7001") {
    boost::asio::io_context context;
    config c;
    c.nodes = {node};
    c.tls = tls;
    try {
        const client locks(context.get_executor(), c);
    } catch (const std::system_error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

struct options_fixture {
    authority trusted;
    certificate_files own = trusted.sign();
    tls_options good{.ca_file = trusted.file(), .certificate_file = own.certificate, .key_file = own.key};

    void check(const refusal& r, const std::string& field, const std::string& what) {
        BOOST_TEST((r.code == errc::invalid_option), r.text);
        BOOST_TEST(r.says("config::tls." + field + " "), r.text);
        BOOST_TEST(r.says(what), r.text);
    }
};

BOOST_FIXTURE_TEST_SUITE(tls_options_suite, options_fixture)

BOOST_AUTO_TEST_CASE(what_is_good_is_taken) {
    BOOST_TEST(!refusal_of(good).code);
    BOOST_TEST(!refusal_of({}).code);
    tls_options in_folder;
    in_folder.ca_path = std::filesystem::path(trusted.file()).parent_path();
    BOOST_TEST(!refusal_of(in_folder).code);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there) {
    for (std::string tls_options::*field :
         {&tls_options::ca_file, &tls_options::certificate_file, &tls_options::key_file}) {
        tls_options options = good;
        options.*field = "/nowhere/file\n.pem";
        const refusal r = refusal_of(options);
        const bool of_authority = field == &tls_options::ca_file;
        const bool of_key = field == &tls_options::key_file;
        check(r,
              of_authority ? "ca_file"
              : of_key     ? "key_file"
                           : "certificate_file",
              "\"/nowhere/file\\x0a.pem\" cannot be read: No such file or directory");
    }
    tls_options options = good;
    options.ca_path = "/nowhere";
    check(refusal_of(options), "ca_path", "\"/nowhere\" is no folder");
}

BOOST_AUTO_TEST_CASE(a_file_that_holds_something_else) {
    const std::string text = trusted.write("text", "hunter2\n");
    for (std::string tls_options::*field :
         {&tls_options::ca_file, &tls_options::certificate_file, &tls_options::key_file}) {
        tls_options options = good;
        options.*field = text;
        const refusal r = refusal_of(options);
        BOOST_TEST((r.code == errc::invalid_option));
        BOOST_TEST(r.says(field == &tls_options::key_file ? "holds no private key in PEM"
                                                          : "holds no certificate in PEM"),
                   r.text);
        BOOST_TEST(!r.says("hunter2"));
    }
    tls_options swapped = good;
    std::swap(swapped.certificate_file, swapped.key_file);
    check(refusal_of(swapped), "certificate_file", "holds no certificate in PEM");
}

BOOST_AUTO_TEST_CASE(a_key_to_another_certificate) {
    tls_options options = good;
    options.key_file = trusted.sign().key;
    check(refusal_of(options), "key_file", "does not belong to config::tls.certificate_file");
}

// Nobody is asked for it on the terminal.
BOOST_AUTO_TEST_CASE(a_key_with_a_password) {
    tls_options options = good;
    options.key_file = trusted.protect(own.key, "hunter2");
    const refusal r = refusal_of(options);
    check(r, "key_file", "is protected by a password");
    BOOST_TEST(!r.says("hunter2"));
}

BOOST_AUTO_TEST_CASE(one_of_two_that_belong_together) {
    tls_options options = good;
    options.key_file.clear();
    check(refusal_of(options), "key_file", "must be set");
    options = good;
    options.certificate_file.clear();
    check(refusal_of(options), "certificate_file", "must be set");
}

BOOST_AUTO_TEST_CASE(names_that_cannot_be) {
    for (const std::string& name :
         {std::string("two words"), std::string("a\0b", 3), std::string(254, 'n')}) {
        tls_options options = good;
        options.server_name = name;
        check(refusal_of(options), "server_name", "must be at most 253 printable");
    }
}

BOOST_AUTO_TEST_CASE(a_context_stands_alone) {
    tls_options options = good;
    options.context = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_client);
    check(refusal_of(options), "ca_file", "has no meaning beside config::tls.context");
    BOOST_TEST(!refusal_of({.context = options.context}).code);
}

BOOST_AUTO_TEST_CASE(without_a_node_that_wants_tls_nothing_is_read) {
    tls_options options;
    options.ca_file = "/nowhere";
    BOOST_TEST(!refusal_of(options, "redis://127.0.0.1:7001").code);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
