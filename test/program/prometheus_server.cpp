#include "prometheus_server.hpp"

#include "http_get.hpp"
#include "support/eventually.hpp"
#include "support/file_descriptor.hpp"
#include "support/loopback_port.hpp"
#include "support/system_error.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace redlock::test {

prometheus_server::prometheus_server(std::uint16_t target) {
    std::ofstream(folder_.path() / "prometheus.yml")
        << "global: {scrape_interval: 200ms, scrape_timeout: 200ms}\n"
           "scrape_configs:\n"
           "  - job_name: orders\n"
           "    static_configs:\n"
           "      - targets: ['127.0.0.1:"
        << target << "']\n";
    // Somebody else may have taken the port in the meantime.
    for (int tries = 0; tries < 3; ++tries)
        if (starts()) return;
    fail("the server does not start");
}

bool prometheus_server::starts() {
    const std::string folder = folder_.path();
    const std::string log = folder + "/log";
    const file_descriptor out(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (out.get() < 0) throw_errno("open " + log);
    port_ = free_loopback_port();
    server_.emplace(std::vector<std::string>{REDLOCK_PROMETHEUS,
                                             "--config.file=" + folder + "/prometheus.yml",
                                             "--storage.tsdb.path=" + folder + "/data", "--log.level=warn",
                                             "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
                    standard_streams{.output = out.get(), .error = out.get()});
    return eventually(
               [&] { return server_->wait(std::chrono::milliseconds(0)) || http_get(port_, "/-/ready"); }) &&
           !server_->wait(std::chrono::milliseconds(0));
}

std::string prometheus_server::query(const std::string& expression) const {
    const auto answer = http_get(port_, "/api/v1/query?query=" +
                                            boost::urls::encode(expression, boost::urls::unreserved_chars));
    if (!answer) fail("no answer to the query " + expression);
    return *answer;
}

void prometheus_server::fail(const std::string& what) const {
    std::ifstream log(folder_.path() / "log");
    throw std::runtime_error("Prometheus: " + what +
                             "; its log: " + std::string(std::istreambuf_iterator<char>(log), {}));
}

} // namespace redlock::test
