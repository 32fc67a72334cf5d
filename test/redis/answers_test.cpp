// What is made of every kind of reply to the commands of locks, also of such as no Redis would give.

#include "engines/redis/dialect/answers.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

using namespace redis;
using std::chrono::milliseconds;

constexpr auto returning = command_form::set_returning_holder;
constexpr auto plain_form = command_form::plain_set;
constexpr auto release_by_hash = by_hash(script::release);
constexpr auto release_by_text = by_text(script::release);

/// What says neither yes nor no.
const std::string_view oddities[] = {"$-1\r\n",
                                     "*0\r\n",
                                     "*2\r\n:1\r\n:1\r\n",
                                     "%1\r\n+a\r\n:1\r\n",
                                     ",1\r\n",
                                     ",nan\r\n",
                                     "+\r\n",
                                     "$1\r\n1\r\n",
                                     "(1\r\n",
                                     "~1\r\n:1\r\n",
                                     "#f\r\n",
                                     ":0\r\n",
                                     ":-9223372036854775808\r\n",
                                     ":9223372036854775807\r\n",
                                     "$7\r\nNOSCRIP\r\n"};

/// Replies that answers refer to.
class kept_replies {
public:
    const resp::reply& keep(std::string_view bytes) {
        return **kept_.emplace_back(std::make_unique<parsed_reply>(bytes));
    }

private:
    std::vector<std::unique_ptr<parsed_reply>> kept_;
};

struct answers_fixture {
    kept_replies replies;

    set_answer set_says(std::string_view bytes, command_form sent = returning) {
        return read_set(sent, replies.keep(bytes));
    }
    auto release_says(std::string_view bytes, command_form sent) {
        return read_release(sent, replies.keep(bytes)).what;
    }
    auto extend_says(std::string_view bytes, command_form sent = by_hash(script::extend)) {
        return read_extend(sent, replies.keep(bytes)).what;
    }
    advance_answer advance_says(std::string_view bytes, command_form sent = by_hash(script::advance_fence)) {
        return read_advance(sent, replies.keep(bytes));
    }
};

life_answer life_says(std::string_view bytes) {
    const parsed_reply reply(bytes);
    life_answer said = read_life(*reply);
    said.error.words = {};
    return said;
}
fence_answer fence_says(std::string_view bytes) {
    const parsed_reply reply(bytes);
    fence_answer said = read_fence(*reply);
    said.error.words = {};
    return said;
}
auto raise_says(std::string_view bytes) {
    const parsed_reply reply(bytes);
    return read_raise(*reply);
}

BOOST_FIXTURE_TEST_SUITE(answers, answers_fixture)

BOOST_AUTO_TEST_CASE(set_grants_with_null_where_it_returns_the_holder_else_with_ok) {
    using kind = set_answer::kind;
    BOOST_TEST((set_says("_\r\n").what == kind::granted));
    BOOST_TEST((set_says("$-1\r\n").what == kind::granted));
    BOOST_TEST((set_says("*-1\r\n").what == kind::granted));
    BOOST_TEST((set_says("+OK\r\n", plain_form).what == kind::granted));
    BOOST_TEST((set_says("$2\r\nOK\r\n").what == kind::held));
    BOOST_TEST((set_says("+OK\r\n").what == kind::held));
    BOOST_TEST(set_says("$2\r\nOK\r\n").holder() == "OK");
    BOOST_TEST((set_says("_\r\n", plain_form).what == kind::held));
    BOOST_TEST((set_says("$-1\r\n", plain_form).what == kind::held));
}

BOOST_AUTO_TEST_CASE(set_names_the_holder_where_the_form_returns_one) {
    const set_answer said = set_says("$8\r\nsomebody\r\n");
    BOOST_TEST((said.what == set_answer::kind::held));
    BOOST_TEST(said.holder() == "somebody");
    BOOST_TEST(set_says("_\r\n", plain_form).holder() == "");
    BOOST_TEST(set_says("*1\r\n+somebody\r\n").holder() == "");
}

BOOST_AUTO_TEST_CASE(no_odd_reply_grants) {
    for (const std::string_view odd : oddities) {
        BOOST_TEST_INFO(odd);
        if (odd != "$-1\r\n") BOOST_TEST((set_says(odd).what == set_answer::kind::held));
        BOOST_TEST((set_says(odd, plain_form).what == set_answer::kind::held));
    }
}

BOOST_AUTO_TEST_CASE(a_syntax_error_leads_from_the_form_that_returns_the_holder_to_the_plain_one) {
    using kind = set_answer::kind;
    const set_answer said = set_says("-ERR syntax error\r\n");
    BOOST_TEST((said.what == kind::unknown_form));
    BOOST_TEST((said.error().meaning == errc::server_error));
    BOOST_TEST(said.error().words == "ERR syntax error");
    BOOST_TEST((set_says("-ERR syntax error\r\n", plain_form).what == kind::error));
    BOOST_TEST((set_says("-NOSCRIPT no\r\n").what == kind::error));
    const set_answer wrong = set_says("-WRONGTYPE Operation against\r\n");
    BOOST_TEST((wrong.what == kind::error));
    BOOST_TEST((wrong.error().meaning == errc::wrong_type));
    BOOST_TEST(wrong.error().words == "WRONGTYPE Operation against");
}

BOOST_AUTO_TEST_CASE(release_counts_what_was_deleted) {
    using kind = release_answer::kind;
    for (const command_form sent :
         {command_form::delex, command_form::delifeq, release_by_hash, release_by_text}) {
        BOOST_TEST((release_says(":1\r\n", sent) == kind::deleted));
        BOOST_TEST((release_says("#t\r\n", sent) == kind::deleted));
        for (const std::string_view odd : oddities) {
            BOOST_TEST_INFO(odd);
            BOOST_TEST((release_says(odd, sent) == kind::not_ours));
        }
    }
}

BOOST_AUTO_TEST_CASE(release_goes_again_when_the_form_is_to_blame_and_another_is_left) {
    using kind = release_answer::kind;
    for (const command_form native : {command_form::delex, command_form::delifeq}) {
        BOOST_TEST((release_says("-ERR unknown command 'DELEX'\r\n", native) == kind::unknown_form));
        BOOST_TEST((release_says("-ERR syntax error\r\n", native) == kind::unknown_form));
        BOOST_TEST((release_says("-NOPERM this user\r\n", native) == kind::unknown_form));
        // The script would be told the same.
        for (const std::string_view error : {"-OOM\r\n", "-READONLY\r\n", "-LOADING\r\n", "-WRONGTYPE\r\n",
                                             "-BUSY\r\n", "-MASTERDOWN\r\n", "-NOAUTH\r\n"})
            BOOST_TEST((release_says(error, native) == kind::error));
    }
    BOOST_TEST((release_says("-NOSCRIPT No matching script\r\n", release_by_hash) == kind::unknown_form));
    BOOST_TEST((release_says("-NOPERM\r\n", release_by_hash) == kind::error));
    BOOST_TEST((release_says("-ERR unknown command 'EVALSHA'\r\n", release_by_hash) == kind::error));
    // It had the text, so it lies; to send it again and again would not end.
    BOOST_TEST((release_says("-NOSCRIPT No matching script\r\n", release_by_text) == kind::error));
}

BOOST_AUTO_TEST_CASE(an_error_says_what_it_means) {
    const parsed_reply reply("-LOADING Redis is loading\r\n");
    const release_answer said = read_release(release_by_hash, *reply);
    BOOST_TEST((said.error().meaning == errc::node_unavailable));
    BOOST_TEST(said.error().words == "LOADING Redis is loading");
    const parsed_reply empty("-\r\n");
    BOOST_TEST((read_release(release_by_hash, *empty).error().meaning == errc::server_error));
}

BOOST_AUTO_TEST_CASE(one_who_is_to_read_is_told_who_writes) {
    constexpr command_form form = by_hash(script::read_try);
    const parsed_reply entered("*1\r\n:1\r\n");
    BOOST_TEST((read_set(form, *entered).what == set_answer::kind::granted));
    const parsed_reply refused("*3\r\n:0\r\n:500\r\n$5\r\ntoken\r\n");
    BOOST_TEST((read_set(form, *refused).what == set_answer::kind::held));
    BOOST_TEST(read_set(form, *refused).holder() == "token");
    const parsed_reply unknown("-NOSCRIPT No matching script\r\n");
    BOOST_TEST((read_set(form, *unknown).what == set_answer::kind::unknown_form));
    for (const std::string_view odd : {"*0\r\n", "+OK\r\n", ":1\r\n", "*1\r\n$1\r\n1\r\n"}) {
        const parsed_reply reply(odd);
        BOOST_TEST((read_set(form, *reply).what == set_answer::kind::held), odd);
        BOOST_TEST(read_set(form, *reply).holder().size() <= 2u);
    }
}

BOOST_AUTO_TEST_CASE(extend_tells_extended_from_put_back) {
    using kind = extend_answer::kind;
    BOOST_TEST((extend_says(":1\r\n") == kind::extended));
    BOOST_TEST((extend_says(":2\r\n") == kind::put_back));
    BOOST_TEST((extend_says(":3\r\n") == kind::others_read));
    BOOST_TEST((extend_says(":4\r\n") == kind::not_ours));
    BOOST_TEST((extend_says(":4294967297\r\n") == kind::not_ours)); // one, to whoever drops a half
    for (const std::string_view odd : oddities) {
        BOOST_TEST_INFO(odd);
        BOOST_TEST((extend_says(odd) == kind::not_ours));
    }
    BOOST_TEST((extend_says("-NOSCRIPT\r\n") == kind::unknown_form));
    BOOST_TEST((extend_says("-NOSCRIPT\r\n", by_text(script::extend)) == kind::error));
    BOOST_TEST((extend_says("-OOM\r\n") == kind::error));
}

BOOST_AUTO_TEST_CASE(a_fence_is_bounded) {
    using kind = advance_answer::kind;
    BOOST_TEST((advance_says(":17\r\n").what == kind::raised));
    BOOST_TEST(advance_says(":17\r\n").fence() == 17u);
    BOOST_TEST(advance_says(":9007199254740992\r\n").fence() == std::uint64_t{1} << 53);
    BOOST_TEST((advance_says(":9007199254740993\r\n").what == kind::too_high));
    BOOST_TEST((advance_says(":9223372036854775807\r\n").what == kind::too_high));
    for (const std::string_view odd : {":0\r\n", ":-1\r\n", ":-9223372036854775808\r\n", "$2\r\n17\r\n",
                                       ",17\r\n", "_\r\n", "*1\r\n:17\r\n"})
        BOOST_TEST((advance_says(odd).what == kind::not_ours));
    BOOST_TEST((advance_says("-NOSCRIPT\r\n").what == kind::unknown_form));
    BOOST_TEST((advance_says("-NOSCRIPT\r\n", by_text(script::advance_fence)).what == kind::error));
    BOOST_TEST((advance_says("-NOPERM\r\n").error().meaning == errc::permission_denied));
}

BOOST_AUTO_TEST_CASE(a_proposal_is_raised_or_not_or_never_will_be) {
    BOOST_TEST((raise_says(":1\r\n") == raise_answer::raised));
    for (const std::string_view odd : oddities)
        BOOST_TEST((raise_says(odd) == raise_answer::not_raised));
    BOOST_TEST((raise_says("-ERR syntax error\r\n") == raise_answer::cannot));
    BOOST_TEST((raise_says("-NOPERM\r\n") == raise_answer::cannot));
    BOOST_TEST((raise_says("-OOM\r\n") == raise_answer::not_raised));
    BOOST_TEST((raise_says("-ERR value is not a valid float\r\n") == raise_answer::not_raised));
}

BOOST_AUTO_TEST_CASE(a_life_is_bounded) {
    using kind = life_answer::kind;
    BOOST_TEST((life_says(":-2\r\n").what == kind::no_key));
    BOOST_TEST((life_says(":-1\r\n").what == kind::endless));
    BOOST_TEST((life_says(":0\r\n").what == kind::limited));
    BOOST_TEST((life_says(":1500\r\n").left == milliseconds(1500)));
    BOOST_TEST((life_says(":9223372036854775807\r\n").left == milliseconds(std::int64_t{1} << 53)));
    BOOST_TEST((life_says(":-9223372036854775808\r\n").what == kind::no_key));
    for (const std::string_view odd : {"$2\r\n-2\r\n", "_\r\n", "*1\r\n:5\r\n", ",5\r\n", "+OK\r\n"}) {
        BOOST_TEST((life_says(odd).what == kind::error));
        BOOST_TEST((life_says(odd).error.meaning == errc::protocol_error));
    }
    BOOST_TEST((life_says("-NOPERM\r\n").error.meaning == errc::permission_denied));
}

BOOST_AUTO_TEST_CASE(a_value_is_a_text) {
    using kind = value_answer::kind;
    const parsed_reply text("$5\r\ntoken\r\n");
    BOOST_TEST(read_value(*text).value == "token");
    BOOST_TEST((read_value(*text).what == kind::value));
    for (const std::string_view odd : {"_\r\n", "$-1\r\n", ":1\r\n", "*1\r\n+token\r\n", ",1\r\n"}) {
        const parsed_reply reply(odd);
        BOOST_TEST((read_value(*reply).what == kind::none));
        BOOST_TEST(read_value(*reply).value == "");
    }
    const parsed_reply wrong("-WRONGTYPE Operation\r\n");
    BOOST_TEST((read_value(*wrong).what == kind::error));
    BOOST_TEST((read_value(*wrong).error.meaning == errc::wrong_type));
}

BOOST_AUTO_TEST_CASE(a_score_is_a_fence_within_its_bounds) {
    using kind = fence_answer::kind;
    BOOST_TEST(fence_says("$2\r\n17\r\n").fence == 17u);
    BOOST_TEST(fence_says(",17\r\n").fence == 17u);
    BOOST_TEST(fence_says(",9007199254740992\r\n").fence == std::uint64_t{1} << 53);
    for (const std::string_view odd :
         {"_\r\n", "$-1\r\n", ":17\r\n", ",nan\r\n", ",inf\r\n", ",-1\r\n", ",1e300\r\n", "$2\r\n-1\r\n",
          "$3\r\nnan\r\n", "$20\r\n99999999999999999999\r\n", "$0\r\n\r\n", "*1\r\n:17\r\n"}) {
        BOOST_TEST_INFO(odd);
        BOOST_TEST((fence_says(odd).what == kind::none));
    }
    BOOST_TEST((fence_says("-WRONGTYPE\r\n").what == kind::error));
}

BOOST_AUTO_TEST_CASE(listeners_stand_behind_the_name_of_the_channel) {
    const auto says = [](std::string_view bytes) {
        const parsed_reply reply(bytes);
        return read_listeners(*reply);
    };
    BOOST_TEST((says("*2\r\n+channel\r\n:3\r\n") == 3u));
    BOOST_TEST((says("*2\r\n+channel\r\n:9223372036854775807\r\n") == UINT32_MAX));
    for (const std::string_view odd : {"*2\r\n+channel\r\n:-1\r\n", "*2\r\n+channel\r\n+3\r\n", "*0\r\n",
                                       "*1\r\n:3\r\n", ":3\r\n", "_\r\n", "-NOPERM\r\n"})
        BOOST_TEST((says(odd) == std::nullopt));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
