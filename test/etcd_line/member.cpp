#include "etcd_line/member.hpp"

#include "support/eventually.hpp"
#include "support/file_descriptor.hpp"
#include "support/loopback_port.hpp"

#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace redlock::test {

namespace {

std::string content_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    return std::move(all).str();
}

} // namespace

bool has_etcd() { return REDLOCK_ETCD_SERVER[0] != '\0'; }

member::member(std::vector<std::string> arguments, std::optional<tls_files> tls)
    : arguments_(std::move(arguments)),
      tls_(std::move(tls)),
      port_(free_loopback_port()),
      peer_port_(free_loopback_port()) {}

std::string member::peer_url() const { return "http://127.0.0.1:" + std::to_string(peer_port_); }

void member::start(const std::string& cluster) {
    if (!cluster.empty()) cluster_ = cluster;
    const std::string name = "m" + std::to_string(peer_port_);
    const std::string url = (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
    std::vector<std::string> all{REDLOCK_ETCD_SERVER,
                                 "--name=" + name,
                                 "--data-dir=" + (folder_.path() / "data").string(),
                                 "--listen-client-urls=" + url,
                                 "--advertise-client-urls=" + url,
                                 "--listen-peer-urls=" + peer_url(),
                                 "--initial-advertise-peer-urls=" + peer_url(),
                                 "--initial-cluster=" +
                                     (cluster_.empty() ? name + "=" + peer_url() : cluster_)};
    if (tls_) {
        all.push_back("--cert-file=" + tls_->certificate);
        all.push_back("--key-file=" + tls_->key);
    }
    all.insert(all.end(), arguments_.begin(), arguments_.end());
    const file_descriptor log(
        ::open((folder_.path() / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    process_.emplace(all, standard_streams{.input = -1, .output = log.get(), .error = log.get()});
}

void member::await_ready() const {
    const bool ready = eventually([&] {
        try {
            control({"endpoint", "health"});
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    });
    if (!ready) throw std::runtime_error("etcd does not answer: " + content_of(folder_.path() / "log"));
}

void member::terminate() const { ::kill(process_->pid(), SIGTERM); }

std::string member::control(const std::vector<std::string>& arguments) const {
    const std::string output = folder_.path() / "said";
    const file_descriptor said(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    std::vector<std::string> all{"etcdctl", "--dial-timeout=1s", "--command-timeout=5s",
                                 "--endpoints=" + std::string(tls_ ? "https" : "http") +
                                     "://127.0.0.1:" + std::to_string(port_)};
    if (tls_) all.push_back("--insecure-skip-tls-verify");
    all.insert(all.end(), arguments.begin(), arguments.end());
    process command(all, standard_streams{.input = -1, .output = said.get(), .error = said.get()});
    if (command.wait(patience) != 0) throw std::runtime_error("etcdctl: " + content_of(output));
    return content_of(output);
}

std::vector<std::unique_ptr<member>> start_cluster(std::size_t count) {
    std::vector<std::unique_ptr<member>> all;
    std::string cluster;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(std::make_unique<member>(
            std::vector<std::string>{"--heartbeat-interval=50", "--election-timeout=500"}));
        cluster += (i > 0 ? "," : "") + ("m" + std::to_string(all.back()->peer_port())) + "=" +
                   all.back()->peer_url();
    }
    for (const auto& each : all)
        each->start(cluster);
    for (const auto& each : all)
        each->await_ready();
    return all;
}

} // namespace redlock::test
