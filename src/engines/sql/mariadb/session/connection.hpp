#pragma once

#include "engines/sql/mariadb/session/address.hpp"
#include "engines/sql/session/link.hpp"
#include "network/unshared_descriptor.hpp"
#include "turn/turns.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mysql.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {

/// One connection of libmariadb. A transaction is sent when the one before was answered, all of its
/// statements in one text; a statement that has no rows to tell has no answer. Where none of them has any,
/// the one answer is a row of how many rows the last had to change, and what it put aside with
/// `LAST_INSERT_ID`, or 0. One that fails ends the transaction, whose locks are given up before that is told.
class connection final : public sql::link, public std::enable_shared_from_this<connection> {
public:
    connection(const sql::strand& on, turn::turns& t, const address& to, sql::link_listener& told);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection() override;

    void connect(const sql::login& l) override;
    void send(const sql::statements& all) noexcept override;
    std::size_t unanswered() const noexcept override { return texts_.size(); }
    void close() noexcept override;
    void leave() noexcept override;

private:
    using descriptor = boost::asio::posix::basic_stream_descriptor<sql::strand>;
    using error_code = boost::system::error_code;
    struct free_handle {
        void operator()(MYSQL* m) const noexcept { mysql_close(m); }
    };
    /// What libmariadb does, or is about to do.
    enum class step : std::uint8_t { idle, connecting, asking, fetching, freeing, going_on, giving_up };

    bool set_options(const sql::login& l);
    template <class What>
    void go_on(What what);
    void fail_later() noexcept;
    void run_later() noexcept;
    bool watch_socket();
    void run(int events);
    void wait_for(int events);
    void await_read();
    void await_write();
    bool has_ended() const noexcept;
    void on_event(int event);
    bool has_been_greeted();
    int begin(step s);
    int resume(int ready);
    void finished();
    void connected();
    void has_result();
    void has_row();
    void note_failure();
    void answered();
    void next_text();
    bool connection_is_lost() const noexcept;
    void drop_result() noexcept;
    /// For that reason, where libmariadb has none.
    void fail(std::string_view why = {});

    const sql::strand strand_;
    turn::turns& turns_;
    const address& to_;
    sql::link_listener* told_; ///< null once it is closed
    std::unique_ptr<MYSQL, free_handle> handle_;
    network::unshared_descriptor unshared_, unshared_copy_;
    /// A copy of libmariadb's descriptor, which libmariadb closes as it likes.
    std::optional<descriptor> socket_;
    int own_socket_ = -1;
    // What libmariadb refers to while it connects.
    std::string host_, user_, password_;
    std::deque<std::string> texts_; ///< the first is under way
    step step_ = step::idle;
    int awaited_ = 0;                     ///< events that libmariadb waits for; 0 while it waits for none
    bool reads_ = false, writes_ = false; ///< a wait of that kind is under way
    bool awaits_greeting_ = false;        ///< which is looked at before libmariadb reads it
    int held_event_ = 0;                  ///< meanwhile
    bool running_ = false;
    bool is_connected_ = false;
    MYSQL_RES* result_ = nullptr;
    // What operations of libmariadb come to.
    MYSQL* connect_outcome_ = nullptr;
    int outcome_ = 0;
    MYSQL_ROW row_ = nullptr;
    std::vector<sql::answer> answers_; ///< to the text under way
    sql::answer::row changes_;         ///< of its last statement without rows
};

} // namespace redlock::mariadb
