#pragma once

#include <redlock/redlock.hpp>

#include <boost/asio.hpp>

#include <span>
#include <string>
#include <vector>

// What blocks in the documentation take for granted, as the first of them says.
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace redlock::test {

/// A block in C++ of the documentation, with the one function that it is run by.
struct snippet {
    const char* place;     ///< document and line
    const char* meanwhile; ///< what shall happen while it runs; empty for nothing
    int (*program)(int, char**) = nullptr;
    int (*alone)() = nullptr;
    asio::awaitable<void> (*coroutine)(client&) = nullptr;
    config (*settings)(std::vector<std::string>) = nullptr;
};

/// A block for a shell or for redis.conf.
struct text_snippet {
    const char* place; ///< document and line
    const char* text;
};

/// All of them, from a file that is generated when the tests are built.
std::span<const snippet> snippets();
std::span<const text_snippet> sh_snippets();
std::span<const text_snippet> conf_snippets();

} // namespace redlock::test
