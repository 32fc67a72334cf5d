// Many that want the same page at the same time, in one process: the first loads it, and the others wait for
// that. No lock, no server. Each of several processes loads the page once, which is often good enough.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// What is loaded at the moment, by key. For one thread, or one strand.
class single_flight {
public:
    // What `load` makes of the key; its exception goes to all who wait. A cancelled load is loaded anew by
    // the next in line.
    template <class Load>
    asio::awaitable<std::string> get(std::string key, Load load) {
        while (const auto found = flights_.contains(key) ? flights_.at(key) : nullptr) {
            boost::system::error_code woken;
            co_await found->over.async_wait(asio::redirect_error(asio::use_awaitable, woken));
            if (found->result) co_return *found->result;
            if (found->failure) std::rethrow_exception(found->failure);
        }
        const auto mine = std::make_shared<flight>(co_await asio::this_coro::executor);
        flights_.emplace(key, mine);
        const landing at_the_end{*this, key, *mine};
        try {
            mine->result = co_await load(key);
        } catch (const boost::system::system_error& e) {
            if (e.code() != asio::error::operation_aborted) mine->failure = std::current_exception();
            throw;
        } catch (...) {
            mine->failure = std::current_exception();
            throw;
        }
        co_return *mine->result;
    }

private:
    struct flight {
        explicit flight(const asio::any_io_executor& on) : over(on, asio::steady_timer::time_point::max()) {}
        asio::steady_timer over; // cancelled when it is
        std::optional<std::string> result;
        std::exception_ptr failure;
    };
    // On every way out, also when the coroutine is destroyed.
    struct landing {
        single_flight& of;
        const std::string& key;
        flight& done;
        ~landing() {
            of.flights_.erase(key);
            done.over.cancel();
        }
    };

    std::map<std::string, std::shared_ptr<flight>> flights_;
};

asio::awaitable<std::string> load(std::string key) {
    std::cout << "loading " << key << std::endl;
    asio::steady_timer work(co_await asio::this_coro::executor, 50ms);
    co_await work.async_wait(asio::deferred);
    if (key == "no page") throw std::runtime_error("there is " + key);
    co_return "the page " + key;
}

asio::awaitable<void> visit(single_flight& pages, std::string key, int visitor) {
    std::string page;
    try {
        page = co_await pages.get(key, load);
    } catch (const std::runtime_error& e) {
        page = e.what();
    }
    std::cout << "visitor " << visitor << " reads: " << page << std::endl;
}

int main() try {
    asio::io_context loop(1);
    single_flight pages;
    const auto rethrow = [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    };
    for (int visitor = 1; visitor <= 8; ++visitor)
        asio::co_spawn(loop, visit(pages, visitor <= 6 ? "news" : "no page", visitor), rethrow);
    loop.run();
} catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
}
