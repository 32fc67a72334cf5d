#include "lease_fixture.hpp"

#include <boost/asio/bind_executor.hpp>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

namespace redlock::test {

namespace asio = boost::asio;

namespace {

constexpr std::string_view memory_scheme = "memory://";

std::string new_prefix() {
    static unsigned fixtures = 0;
    return "lease-test-" + std::to_string(++fixtures) + ":";
}

bool in_memory(const std::string& address) { return address.starts_with(memory_scheme); }

testing::memory_handle hand_of(const std::string& address) {
    return testing::memory_handle(address.substr(memory_scheme.size()));
}

std::string variable(const char* name) {
    const char* const given = std::getenv(name);
    return given ? given : "";
}

} // namespace

std::string engine_address() {
    const char* const given = std::getenv("REDLOCK_LEASE_TEST_ENGINE");
    return given ? given : "memory://lease-test";
}

std::string backup_address() { return variable("REDLOCK_LEASE_TEST_BACKUP"); }

boost::test_tools::assertion_result engine_in_hand(boost::unit_test::test_unit_id) {
    const std::string backup = backup_address();
    boost::test_tools::assertion_result can =
        in_memory(engine_address()) && (backup.empty() || in_memory(backup));
    can.message() << "the engine is not in the hand of the test";
    return can;
}

lock_options once() { return {.ttl = long_ttl, .wait = 0ms}; }

lock_options patiently() { return {.ttl = long_ttl}; }

lease_fixture::lease_fixture() : prefix(new_prefix()) {
    if (!in_memory(address) || (!backup.empty() && !in_memory(backup))) return;
    hand = hand_of(address);
    if (backup.empty()) return;
    other_hand = hand_of(backup);
    if (variable("REDLOCK_LEASE_TEST_HAND") == "backup") std::swap(hand, other_hand);
}

config lease_fixture::settings() const {
    config c;
    std::istringstream all(address);
    for (std::string one; all >> one;)
        c.nodes.push_back(one);
    c.backup = backup;
    c.key_prefix = prefix;
    // What is tested is the lease: a server on a busy machine may take its time.
    if (!hand) c.node_timeout = patience;
    return c;
}

lease lease_fixture::lock(client& locks, const std::string& key, lock_options options) {
    outcome<lease> result;
    locks.async_lock(key, options, result.handler());
    if (!complete(result)) throw std::runtime_error("async_lock did not complete");
    if (result.error()) throw boost::system::system_error(result.error());
    return std::move(result.value());
}

error_code lease_fixture::try_lock(client& locks, const std::string& key, lock_options options) {
    outcome<lease> result;
    locks.async_lock(key, options, result.handler());
    if (!complete(result)) throw std::runtime_error("async_lock did not complete");
    result.drop_values();
    settle();
    return result.error();
}

error_code lease_fixture::unlock(lease& held) {
    outcome<> result;
    // Here, also for an empty lease, which has no client whose loop could do it.
    held.async_unlock(asio::bind_executor(context, result.handler()));
    if (!complete(result)) throw std::runtime_error("async_unlock did not complete");
    return result.error();
}

error_code lease_fixture::extend(lease& held, std::chrono::milliseconds ttl) {
    outcome<> result;
    held.async_extend(ttl, asio::bind_executor(context, result.handler()));
    if (!complete(result)) throw std::runtime_error("async_extend did not complete");
    return result.error();
}

key_report lease_fixture::inspect(client& locks, const std::string& key) {
    outcome<key_report> result;
    locks.async_inspect(key, result.handler());
    if (!complete(result)) throw std::runtime_error("async_inspect did not complete");
    if (result.error()) throw boost::system::system_error(result.error());
    return std::move(result.value());
}

error_code lease_fixture::check(client& locks, std::uint64_t token, const std::string& key) {
    outcome<> result;
    locks.async_check(key, token, result.handler());
    if (!complete(result)) throw std::runtime_error("async_check did not complete");
    return result.error();
}

void lease_fixture::close(client& locks) {
    outcome<> result;
    locks.async_close(result.handler());
    if (!complete(result)) throw std::runtime_error("async_close did not complete");
}

void lease_fixture::settle() {
    do
        context.restart();
    while (context.poll() > 0);
}

bool lease_fixture::is_held(const std::string& key) {
    if (hand) return hand->is_held(prefix + key) || (other_hand && other_hand->is_held(prefix + key));
    client asks = make_client();
    return inspect(asks, key).holder.has_value();
}

std::size_t lease_fixture::waiting(const std::string& key) {
    if (hand) return hand->waiting(prefix + key) + (other_hand ? other_hand->waiting(prefix + key) : 0);
    client asks = make_client();
    return inspect(asks, key).waiting.value_or(0);
}

bool lease_fixture::lose(const std::string& key) {
    const bool somebody_had_it = hand->lose(prefix + key);
    settle();
    return somebody_had_it;
}

void lease_fixture::hold(std::chrono::milliseconds life, const std::string& key) {
    hand->hold(prefix + key, life);
    settle();
}

void lease_fixture::let_time_pass(std::chrono::milliseconds time) {
    hand->let_time_pass(time);
    if (other_hand) other_hand->let_time_pass(time);
}

void lease_fixture::pass(std::chrono::milliseconds time) {
    let_time_pass(time);
    settle();
}

} // namespace redlock::test
