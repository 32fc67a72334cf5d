#pragma once

#include "engines/sql/postgresql/session/address.hpp"
#include "engines/sql/session/link.hpp"
#include "network/unshared_descriptor.hpp"
#include "turn/turns.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/strand.hpp>

#include <cstddef>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::postgresql {

using sql::strand;

/// One connection of libpq. All statements of a transaction leave together, and the next transaction need not
/// wait for their answers.
class connection final : public sql::link, public std::enable_shared_from_this<connection> {
public:
    connection(const strand& on, turn::turns& t, const address& to, sql::link_listener& told);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection() override;

    void connect(const sql::login& l) override;
    void send(const sql::statements& all) noexcept override;
    std::size_t unanswered() const noexcept override { return unanswered_; }
    void close() noexcept override;
    void leave() noexcept override;

private:
    using descriptor = boost::asio::posix::basic_stream_descriptor<strand>;
    using error_code = boost::system::error_code;
    struct finish {
        void operator()(PGconn* c) const noexcept { PQfinish(c); }
    };
    struct clear {
        void operator()(PGresult* r) const noexcept { PQclear(r); }
    };
    using result = std::unique_ptr<PGresult, clear>;

    void fail_later() noexcept;
    void go_on_connecting();
    void wait_to_connect(descriptor::wait_type what);
    void serve();
    bool watch_socket();
    void read();
    void on_readable();
    void write();
    void take_answers();
    void take(const result& r);
    void take_notices();
    void fail();
    std::vector<address::parameter> parameters_of(const sql::login& l) const;
    bool put(const sql::statement& s) noexcept;
    /// In a turn, unless it was closed meanwhile.
    template <class What>
    void go_on(What what);

    const strand strand_;
    turn::turns& turns_;
    const address& to_;
    sql::link_listener* told_; ///< null once it is closed
    std::unique_ptr<PGconn, finish> connection_;
    network::unshared_descriptor unshared_, unshared_copy_;
    /// A copy of libpq's descriptor: libpq closes and reopens its own as it likes.
    std::optional<descriptor> socket_;
    std::vector<sql::answer> answers_; ///< to the transaction that is being answered
    std::size_t unanswered_ = 0;
    bool connecting_ = false;
    bool writing_ = false; ///< waits until the socket takes more
};

} // namespace redlock::postgresql
