#include "network/own_network.hpp"

#include "support/file_descriptor.hpp"
#include "support/system_error.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

namespace redlock::test {
namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path);
    if (!(file << text).flush()) throw_errno("write to " + path.string());
}

// Whoever is not root becomes root of a user namespace, as far as the system lets everybody make one.
void unshare_all() {
    const auto user = ::geteuid();
    const auto group = ::getegid();
    const int as_root = user == 0 ? 0 : CLONE_NEWUSER;
    if (::unshare(as_root | CLONE_NEWNET | CLONE_NEWNS) != 0) throw_errno("unshare");
    if (as_root == 0) return;
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", fmt::format("0 {} 1", user));
    write_file("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

void bring_up_loopback() {
    const file_descriptor any(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ::ifreq loopback{};
    std::strcpy(loopback.ifr_name, "lo");
    if (::ioctl(any.get(), SIOCGIFFLAGS, &loopback) != 0) throw_errno("SIOCGIFFLAGS");
    loopback.ifr_flags = static_cast<short>(loopback.ifr_flags | IFF_UP);
    if (::ioctl(any.get(), SIOCSIFFLAGS, &loopback) != 0) throw_errno("SIOCSIFFLAGS");
}

void put_over(const char* path, const std::filesystem::path& other) {
    if (::mount(other.c_str(), path, nullptr, MS_BIND, nullptr) != 0)
        throw_errno(fmt::format("mount over {}", path));
}

// The answers are held back for as long as a test likes, and each question is asked once.
void name_the_server(const std::filesystem::path& folder) {
    const std::pair<const char*, std::string> files[] = {
        {"/etc/resolv.conf",
         fmt::format("search .\nnameserver {}\noptions timeout:30 attempts:1\n", name_server_address)},
        {"/etc/hosts", "127.0.0.1 localhost\n"},
        {"/etc/nsswitch.conf", "hosts: files dns\n"},
    };
    for (const auto& [path, text] : files) {
        const auto own = folder / std::filesystem::path(path).filename();
        write_file(own, text);
        put_over(path, own);
    }
}

} // namespace

std::optional<std::string> enter_own_network() try {
    static const temporary_folder folder;
    unshare_all();
    // Or what is mounted here would be seen everywhere.
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) throw_errno("mount");
    bring_up_loopback();
    name_the_server(folder.path());
    return std::nullopt;
} catch (const std::system_error& e) {
    return e.what();
}

} // namespace redlock::test
