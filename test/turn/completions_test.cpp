#include "turn/completions.hpp"
#include "turn/only_thread.hpp"

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

struct completions_test_fixture {
    asio::io_context context;
    asio::any_io_executor clients = context.get_executor();
    detail::completion_queue queue;
    std::vector<int> seen;

    /// Completed with `value`, and queued unless its handler belongs elsewhere.
    template <class Handler>
    bool complete(Handler handler, int value) {
        auto made = detail::erase_handler<int>(std::move(handler), clients);
        made->set(asio::error::eof, int{value});
        detail::completion& c = *made.release();
        const bool elsewhere = c.post();
        if (!elsewhere) queue.push(detail::completion_pointer<detail::completion>(&c));
        return elsewhere;
    }
    auto noting() {
        return [this](error_code ec, int value) {
            BOOST_TEST(ec == asio::error::eof);
            seen.push_back(value);
        };
    }
    void post() { detail::post(context.get_executor(), std::move(queue)); }
};

/// Counts what is allocated and not given back.
template <class T>
struct counting_allocator {
    using value_type = T;

    explicit counting_allocator(int& n) noexcept : blocks(&n) {}
    template <class U>
    counting_allocator(const counting_allocator<U>& other) noexcept : blocks(other.blocks) {}
    T* allocate(std::size_t n) {
        ++*blocks;
        return std::allocator<T>().allocate(n);
    }
    void deallocate(T* p, std::size_t n) noexcept {
        --*blocks;
        std::allocator<T>().deallocate(p, n);
    }
    template <class U>
    bool operator==(const counting_allocator<U>& other) const noexcept {
        return blocks == other.blocks;
    }

    int* blocks;
};

BOOST_FIXTURE_TEST_SUITE(completions, completions_test_fixture)

BOOST_AUTO_TEST_CASE(one_post_delivers_all_in_a_process_with_one_thread) {
    for (int i = 1; i <= 3; ++i)
        BOOST_TEST(!complete(noting(), i));
    post();
    BOOST_TEST(queue.empty());
    BOOST_TEST(seen.empty());
    const bool in_a_row = turn::is_only_thread(); // not under ThreadSanitizer
    BOOST_TEST(context.run_one() == 1);
    BOOST_TEST(seen.size() == (in_a_row ? 3 : 1));
    context.run();
    BOOST_TEST(seen == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_others_to_the_next_run) {
    complete(noting(), 1);
    complete([](error_code, int) { throw std::runtime_error("out of a handler"); }, 2);
    complete(noting(), 3);
    post();
    BOOST_CHECK_THROW(context.run(), std::runtime_error);
    BOOST_TEST(seen.size() == 1);
    context.run();
    BOOST_TEST(seen == (std::vector<int>{1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_never_delivered_is_let_go_of) {
    const auto owned = std::make_shared<int>();
    const auto keep = [owned](error_code, int) { BOOST_ERROR("was called"); };
    std::optional<asio::io_context> loop(std::in_place);
    clients = loop->get_executor();
    for (int i = 0; i < 3; ++i)
        complete(keep, i);
    detail::post(loop->get_executor(), std::move(queue));
    complete(keep, 3);
    BOOST_TEST(owned.use_count() == 6);
    clients = {};
    loop.reset();
    queue.clear();
    BOOST_TEST(owned.use_count() == 2);
}

BOOST_AUTO_TEST_CASE(the_memory_is_the_handlers_and_free_before_its_call) {
    int blocks = 0;
    int when_called = -1;
    complete(
        asio::bind_allocator(counting_allocator<int>(blocks), [&](error_code, int) { when_called = blocks; }),
        1);
    BOOST_TEST(blocks == 1);
    post();
    context.run();
    BOOST_TEST(when_called == 0);
    BOOST_TEST(blocks == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_may_take_its_results_by_rvalue_reference) {
    complete([this](error_code&&, int&& value) { seen.push_back(value); }, 1);
    post();
    context.run();
    BOOST_TEST(seen.size() == 1);
}

BOOST_AUTO_TEST_CASE(another_executor_has_work_until_it_delivers) {
    asio::io_context other;
    auto made = detail::erase_handler<int>(asio::bind_executor(other, noting()), clients);
    other.poll();
    BOOST_TEST(!other.stopped());
    made->set(asio::error::eof, 1);
    BOOST_TEST(made.release()->post());
    BOOST_TEST(seen.empty());
    BOOST_TEST(other.run() == 1);
    BOOST_TEST(seen.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_strand_of_the_clients_loop_delivers_by_itself) {
    const auto strand = asio::make_strand(context);
    bool on_strand = false;
    const auto look = [&](error_code, int) { on_strand = strand.running_in_this_thread(); };
    BOOST_TEST(complete(asio::bind_executor(strand, look), 1));
    context.run();
    BOOST_TEST(on_strand);
}

// The last one: the process is one with several threads from here on.
BOOST_AUTO_TEST_CASE(with_several_threads_each_is_a_handler_of_its_own) {
    std::thread([] {}).join();
    BOOST_TEST(!turn::is_only_thread());
    for (int i = 1; i <= 3; ++i)
        complete(noting(), i);
    post();
    asio::post(context, [this] { seen.push_back(4); }); // as a flush that all of them are to come before
    for (std::size_t i = 1; i <= 4; ++i) {
        BOOST_TEST(context.run_one() == 1);
        BOOST_TEST(seen.size() == i);
    }
    BOOST_TEST(seen == (std::vector<int>{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(context.poll() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
