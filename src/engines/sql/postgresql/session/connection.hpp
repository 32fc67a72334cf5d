#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/postgresql/session/address.hpp"
#include "engines/sql/postgresql/session/statement.hpp"
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

using strand = boost::asio::strand<boost::asio::any_io_executor>;

/// Told what becomes of a connection. In a turn; it may close the connection then.
class connection_listener {
public:
    virtual void connected() = 0;
    /// Of one transaction: an answer to each statement up to the first that failed.
    virtual void answered(std::vector<sql::answer>&& all) = 0;
    virtual void notified(std::string_view payload) = 0;
    /// It could not be made, or has ended: the words of libpq. The last call.
    virtual void broken(std::string_view why, bool refused_login) = 0;

protected:
    ~connection_listener() = default;
};

/// One connection of libpq, on a strand and without ever waiting for the server. All statements of a
/// transaction leave together. On the strand; it is held by what it has under way.
class connection final : public std::enable_shared_from_this<connection> {
public:
    connection(const strand& on, turn::turns& t, connection_listener& told);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    ~connection();

    /// Of keyword and value. Numeric addresses and folders of Unix sockets only: libpq would wait for names.
    void connect(const std::vector<address::parameter>& with);
    /// Sends one transaction. What goes wrong is told later.
    void send(const statements& all) noexcept;
    /// So many that were sent have not been answered.
    std::size_t unanswered() const noexcept { return unanswered_; }
    /// Calls nobody any more.
    void close() noexcept;
    /// In a forked child: gives up what it shares with its parent, likewise.
    void leave() noexcept;

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
    bool put(const statement& s) noexcept;
    /// In a turn, unless it was closed meanwhile.
    template <class What>
    void go_on(What what);

    const strand strand_;
    turn::turns& turns_;
    connection_listener* told_; ///< null once it is closed
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
