#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/address.hpp"
#include "engines/sql/session/statement.hpp"

#include <redlock/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

using strand = boost::asio::strand<boost::asio::any_io_executor>;

/// Told what becomes of a connection. In a turn; it may close the connection then.
class link_listener {
public:
    virtual void connected() = 0;
    /// Of one transaction: an answer to each statement that is to be answered, up to the first that failed.
    virtual void answered(std::vector<answer>&& all) = 0;
    virtual void notified(std::string_view payload) = 0;
    /// It could not be made, or has ended: the words of the database's library. The last call.
    virtual void broken(std::string_view why, bool refused_login) = 0;

protected:
    ~link_listener() = default;
};

/// Whom a connection is made to, and as whom.
struct login {
    address::place at;
    std::string numeric; ///< the address that the place's name stands for
    /// Instead of those in the address.
    std::optional<redlock::credentials> who{};
    std::string client_name{};
};

/// One connection to a database, on a strand and without ever waiting for the server. On the strand; it is
/// held by what it has under way.
class link {
public:
    virtual ~link() = default;

    /// To numeric addresses and Unix sockets only: the libraries of databases would wait for names.
    virtual void connect(const login& l) = 0;
    /// Sends one transaction. What goes wrong is told later.
    virtual void send(const statements& all) noexcept = 0;
    /// So many that were sent have not been answered.
    virtual std::size_t unanswered() const noexcept = 0;
    /// Calls nobody any more.
    virtual void close() noexcept = 0;
    /// In a forked child: gives up what it shares with its parent, likewise.
    virtual void leave() noexcept = 0;
};

} // namespace redlock::sql
