#include "nodes/login.hpp"

#include "cli/setter.hpp"
#include "nodes/node_list.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace redlock::tool {
namespace {

constexpr std::size_t longest_password = 4096;

std::string text_in_environment(const char* name) {
    const char* const text = std::getenv(name);
    return text ? text : "";
}

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
    throw usage_error(fmt::format("the password file \"{}\" {}", printable(file), why));
}

/// A file that is open for reading.
class open_file {
public:
    explicit open_file(const std::string& name)
        : number_(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const noexcept { return number_; }

private:
    const int number_;
};

} // namespace

std::string password_in(const std::string& file) {
    const open_file source(file);
    if (source.number() < 0) refuse(file, fmt::format("cannot be read: {}", std::strerror(errno)));
    struct stat facts {};
    if (::fstat(source.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) refuse(file, "is no file");
    if (facts.st_uid != ::geteuid() && facts.st_uid != 0) refuse(file, "belongs to another user");
    if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        refuse(file, "can be read or changed by others: chmod 600 it");
    std::array<char, longest_password + 2> bytes{};
    const ssize_t size = ::read(source.number(), bytes.data(), bytes.size());
    if (size < 0) refuse(file, fmt::format("cannot be read: {}", std::strerror(errno)));
    const std::string_view text(bytes.data(), static_cast<std::size_t>(size));
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.empty()) refuse(file, "has an empty first line");
    if (line.size() > longest_password)
        refuse(file, fmt::format("has a first line longer than {} bytes", longest_password));
    return std::string(line);
}

std::function<credentials(std::string_view)> login_of(const login_options& given) {
    const std::string user = given.user.value_or(text_in_environment("REDLOCK_USER"));
    const std::string file = given.password_file.value_or(text_in_environment("REDLOCK_PASSWORD_FILE"));
    const std::string password = text_in_environment("REDLOCK_PASSWORD");
    if (file.empty() && password.empty()) {
        if (!user.empty())
            throw usage_error(
                "a user needs a password: --password-file, or REDLOCK_PASSWORD in the environment");
        return {};
    }
    if (file.empty())
        return [user, password](std::string_view) { return credentials{.user = user, .password = password}; };
    std::ignore = password_in(file);
    return
        [user, file](std::string_view) { return credentials{.user = user, .password = password_in(file)}; };
}

void forget_passwords_of_environment() {
    ::unsetenv("REDLOCK_PASSWORD");
    if (std::ranges::any_of(split_nodes(text_in_environment("REDLOCK_NODES")), may_have_password))
        ::unsetenv("REDLOCK_NODES");
    if (may_have_password(text_in_environment("REDLOCK_BACKUP"))) ::unsetenv("REDLOCK_BACKUP");
}

} // namespace redlock::tool
