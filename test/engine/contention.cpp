#include "engine/contention.hpp"

#include "../client/outcome.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace redlock::test {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

void contention::connect(std::size_t i, config c) {
    c.node_timeout = terms_.node_timeout;
    clients_[i].emplace(loop_.context.get_executor(), c);
}

void contention::run(milliseconds time, const std::function<void()>& disturb) {
    BOOST_TEST_MESSAGE("seed " << seed_);
    for (std::size_t i = 0; i < clients_.size(); ++i)
        for (const char* key : {"one", "two"}) {
            ++running_;
            asio::co_spawn(loop_.context, use(i, key), [this](std::exception_ptr failure) {
                BOOST_TEST(!failure);
                --running_;
            });
        }
    const auto finish = clock::now() + time;
    auto next = clock::now();
    loop_.run_until(time + 40s, [&] {
        look();
        const auto now = clock::now();
        if (repair_ && now >= repair_at_) make_good();
        if (now >= next && !repair_) {
            disturb();
            next = clock::now() + milliseconds(between(100, static_cast<int>(terms_.longest_calm.count())));
        }
        return now >= finish;
    });
    make_good();
}

void contention::make_good_within(milliseconds bound, std::function<void()> repair) {
    BOOST_TEST(!repair_);
    repair_ = std::move(repair);
    repair_at_ = clock::now() + milliseconds(between(100, static_cast<int>(bound.count())));
}

void contention::make_good() {
    if (auto repair = std::exchange(repair_, nullptr)) repair();
}

void contention::end() {
    const std::size_t before = grants_;
    BOOST_TEST(loop_.run_until([&] { return grants_ > before + 20; }));
    over_ = true;
    BOOST_TEST(loop_.run_until([&] { return running_ == 0; }));
    BOOST_TEST(overlaps_ == 0u);
    BOOST_TEST(disorder_ == 0u);
    if (terms_.reading) BOOST_TEST(readings_ > grants_ / 10);
    for (auto& each : clients_)
        close(*each);
    BOOST_TEST_MESSAGE(grants_ << " grants");
}

asio::awaitable<void> contention::use(std::size_t of, std::string key) {
    asio::steady_timer rest(loop_.context);
    while (!over_) {
        const bool reads = terms_.reading && between(0, 2) == 0;
        const lock_options wanted{.ttl = terms_.ttl,
                                  .wait = terms_.wait,
                                  .renew = between(0, 1) == 0,
                                  .fencing = true,
                                  .mode = reads ? mode::read : mode::exclusive};
        auto token = asio::as_tuple(asio::use_awaitable);
        auto [failure, l] = co_await clients_[of]->async_lock(key, wanted, token);
        if (failure) {
            rest.expires_after(milliseconds(between(1, 50)));
            co_await rest.async_wait(asio::use_awaitable);
            continue;
        }
        granted(key, reads, l);
        const auto place = held_.insert(held_.end(), {key, reads, std::move(l)});
        look();
        rest.expires_after(milliseconds(between(0, 300)));
        co_await rest.async_wait(asio::use_awaitable);
        lease done = std::move(place->granted);
        held_.erase(place);
        co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
    }
}

// Of two that were granted one behind the other, the later has the higher token; those who read at the same
// time may hear of theirs in another order.
void contention::granted(const std::string& key, bool reads, const lease& l) {
    ++grants_;
    readings_ += reads;
    if (!l.valid()) return;
    const std::uint64_t fence = l.fencing_token().value();
    disorder_ += fence <= (reads ? highest_to_write_[key] : highest_[key]);
    highest_[key] = std::max(highest_[key], fence);
    if (!reads) highest_to_write_[key] = fence;
}

void contention::look() {
    std::map<std::string, int> writers, all;
    for (const holding& one : held_) {
        if (!one.granted.valid()) continue;
        ++all[one.key];
        writers[one.key] += !one.reads;
    }
    for (const auto& [key, some] : writers)
        overlaps_ += some > 0 && all[key] > 1;
}

void contention::close(client& c) {
    outcome<> result;
    c.async_close(result.handler());
    BOOST_TEST(loop_.run_until([&] { return result.done(); }));
}

} // namespace redlock::test
