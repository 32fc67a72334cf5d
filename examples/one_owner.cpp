// One owner for each key instead of a lock between processes: whoever is asked sends the request to the
// server that owns the key, by a hash that all compute alike, and a local lock orders what happens there.
// When a server leaves, its keys move to others, and no other key does. Three servers stand for three
// processes here, and a call stands for what would be a request from one to the other.
//
// While servers disagree about who is there, a key may have two owners: where that must do no harm, the data
// needs a version or a fencing token, as with a lock.

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace asio = boost::asio;

// FNV-1a, and a mix of its bits: the same in each process and version, which std::hash does not promise.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t h = 14695981039346656037u;
    for (const char c : text)
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 33);
}

// Rendezvous hashing: of all servers the one whose name and the key together have the largest hash.
const std::string& owner_of(std::string_view key, const std::vector<std::string>& servers) {
    return *std::ranges::max_element(
        servers, {}, [&](const std::string& name) { return hash_of(name + '/' + std::string(key)); });
}

// Counts orders of articles, of those that it owns.
class server {
public:
    server(const asio::any_io_executor& on, const std::string& name)
        : locks_(on, {.nodes = {"memory://" + name}}) {}

    asio::awaitable<void> order(std::string article) {
        auto lease = co_await locks_.async_lock(article);
        const int before = orders_[article];
        // Whatever takes its time: the others wait behind the lock.
        co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
        orders_[article] = before + 1;
        co_await lease.async_unlock();
    }
    asio::awaitable<void> close() { co_await locks_.async_close(); }
    const std::map<std::string, int>& orders() const { return orders_; }

private:
    redlock::client locks_;
    std::map<std::string, int> orders_;
};

int main() try {
    asio::io_context loop(1);
    const std::vector<std::string> names{"anna", "berta", "clara"};
    std::map<std::string, std::unique_ptr<server>> servers;
    for (const std::string& name : names)
        servers.emplace(name, std::make_unique<server>(loop.get_executor(), name));

    constexpr int articles = 300;
    constexpr int orders_of_each = 5;
    int left = articles * orders_of_each;
    const auto ended = [&](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
        if (--left > 0) return;
        for (const auto& each : servers)
            asio::co_spawn(loop, each.second->close(), [](std::exception_ptr) {});
    };
    for (int n = 0; n < left; ++n) {
        const std::string article = "article " + std::to_string(n % articles);
        asio::co_spawn(loop, servers.at(owner_of(article, names))->order(article), ended);
    }
    loop.run();

    for (const auto& [name, who] : servers) {
        const auto complete =
            std::ranges::count(who->orders(), orders_of_each, &std::pair<const std::string, int>::second);
        std::cout << name << " owns " << who->orders().size() << " articles, complete: " << complete << '\n';
    }
    int moved = 0;
    int without_need = 0;
    for (int n = 0; n < articles; ++n) {
        const std::string article = "article " + std::to_string(n);
        const std::string& before = owner_of(article, names);
        if (owner_of(article, {"anna", "berta"}) == before) continue;
        ++moved;
        without_need += before != "clara";
    }
    std::cout << "clara leaves: " << moved << " articles move, of others " << without_need << '\n';
} catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
}
