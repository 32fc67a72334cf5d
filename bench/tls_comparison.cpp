#include "tls_comparison.hpp"

#include "library.hpp"
#include "support/authority.hpp"
#include "support/node_set.hpp"

#include <cstddef>
#include <string>

namespace bench {

namespace test = redlock::test;

std::vector<tls_comparison> compare_tls(const extent& how_much) {
    test::authority trusted;
    const test::certificate_files own = trusted.sign();
    test::redis_options options;
    options.tls = test::redis_tls{own.certificate, own.key, trusted.file(), false, true};
    test::node_set servers(5, options);
    std::vector<std::string> encrypted;
    for (const auto& s : servers)
        encrypted.push_back(s.tls_uri());
    const redlock::tls_options tls{.ca_file = trusted.file()};

    std::vector<tls_comparison> all;
    for (const std::size_t in_flight : {std::size_t{1}, std::size_t{64}, std::size_t{1024}})
        all.push_back(
            {.plan = {in_flight, 1024, how_much.warm_up, how_much.duration}, .plain = {}, .tls = {}});
    for (std::size_t run = 0; run < how_much.runs; ++run)
        for (auto& c : all)
            for (const bool with : {run % 2 == 0, run % 2 != 0})
                (with ? c.tls : c.plain)
                    .push_back(with ? run_library(encrypted, c.plan, tls)
                                    : run_library(servers.uris(), c.plan));
    return all;
}

} // namespace bench
