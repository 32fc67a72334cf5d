#include "engines/sql/mariadb/session/connection.hpp"

#include "core/printable.hpp"
#include "engines/sql/mariadb/session/greeting.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <errmsg.h>
#include <fcntl.h>
#include <mysqld_error.h>
#include <new>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace redlock::mariadb {

namespace {

constexpr std::size_t longest_words = 200;

// Whoever answers in the place of the server is not to be given the password as it is, nor any file.
constexpr const char* logins_allowed =
    "mysql_native_password,client_ed25519,caching_sha2_password,sha256_password,parsec";

void begin_library() {
    static const bool done = mysql_library_init(0, nullptr, nullptr) == 0;
    if (!done) throw std::bad_alloc();
}

} // namespace

connection::connection(const sql::strand& on, turn::turns& t, const address& to, sql::link_listener& told)
    : strand_(on), turns_(t), to_(to), told_(&told) {}

connection::~connection() { close(); }

template <class What>
void connection::go_on(What what) {
    if (!told_) return;
    turn::turns& turns = turns_;
    turns.begin();
    what();
    turns.end();
}

bool connection::set_options(const sql::login& l) {
    MYSQL* const m = handle_.get();
    const my_bool on = 1, off = 0;
    const unsigned protocol = l.at.is_path() ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_TCP;
    const unsigned no_files = 0;
    bool ok = mysql_options(m, MYSQL_OPT_NONBLOCK, nullptr) == 0 &&
              mysql_options(m, MYSQL_OPT_PROTOCOL, &protocol) == 0 &&
              mysql_options(m, MYSQL_OPT_LOCAL_INFILE, &no_files) == 0 &&
              mysql_options(m, MYSQL_SET_CHARSET_NAME, "utf8mb4") == 0 &&
              mysql_optionsv(m, MARIADB_OPT_RESTRICTED_AUTH, logins_allowed) == 0 &&
              mysql_options4(m, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", l.client_name.c_str()) == 0;
    const bool encrypted = to_.tls != tls_mode::disabled;
    const my_bool* const verified = to_.tls == tls_mode::verify_identity ? &on : &off;
    ok = ok && mysql_options(m, MYSQL_OPT_SSL_ENFORCE, encrypted ? &on : &off) == 0 &&
         mysql_options(m, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, verified) == 0;
    const auto file = [&](mysql_option which, const std::string& path) {
        ok = ok && (path.empty() || mysql_options(m, which, path.c_str()) == 0);
    };
    if (to_.tls >= tls_mode::verify_ca) file(MYSQL_OPT_SSL_CA, to_.authorities);
    file(MYSQL_OPT_SSL_CERT, to_.certificate);
    file(MYSQL_OPT_SSL_KEY, to_.key);
    return ok;
}

void connection::connect(const sql::login& l) {
    begin_library();
    handle_.reset(mysql_init(nullptr));
    if (!handle_) throw std::bad_alloc();
    if (!set_options(l)) return fail_later();
    user_ = l.who ? l.who->user : to_.user;
    password_ = l.who ? l.who->password : to_.password;
    const bool over_path = l.at.is_path();
    // libmariadb would wait for a name to be looked up, and compares the certificate with what it connects
    // to. It has read the address when it first waits for the server; from then on the name stands in its
    // place.
    host_ = over_path ? l.at.host : l.numeric;
    host_.resize(std::max(l.numeric.size(), l.at.host.size()) + 1, '\0');
    step_ = step::connecting;
    awaits_greeting_ = to_.tls != tls_mode::disabled && !over_path;
    const unsigned port = static_cast<unsigned>(std::strtoul(l.at.port.c_str(), nullptr, 10));
    const int events = mysql_real_connect_start(
        &connect_outcome_, handle_.get(), over_path ? nullptr : host_.c_str(), user_.c_str(),
        password_.c_str(), to_.database.c_str(), over_path ? 0 : port, over_path ? host_.c_str() : nullptr,
        CLIENT_MULTI_STATEMENTS | CLIENT_FOUND_ROWS);
    if (!over_path) {
        std::ranges::fill(host_, '\0');
        std::ranges::copy(l.at.host, host_.begin());
    }
    if (events == 0) return run_later(); // it has said why, or never waited for the server
    watch_socket() ? wait_for(events) : fail_later();
}

void connection::fail_later() noexcept {
    boost::asio::post(strand_, [self = shared_from_this()] { self->go_on([&] { self->fail(); }); });
}

void connection::run_later() noexcept {
    boost::asio::post(strand_, [self = shared_from_this()] { self->go_on([&] { self->run(0); }); });
}

bool connection::watch_socket() {
    const int own = mysql_get_socket(handle_.get());
    if (socket_ && own == own_socket_) return true;
    unshared_copy_.reset();
    unshared_.reset();
    socket_.reset();
    own_socket_ = own;
    const int copy = own < 0 ? -1 : ::fcntl(own, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return false;
    try {
        socket_.emplace(strand_, copy);
        unshared_.set(own);
        unshared_copy_.set(copy);
    } catch (const std::system_error&) {
        if (!socket_) ::close(copy);
        return false;
    }
    return true;
}

// Works for as long as libmariadb need not wait. What is told may close this, or send the next text.
void connection::run(int events) {
    if (std::exchange(running_, true)) return;
    const auto alive = shared_from_this();
    for (; told_ && events == 0;) {
        finished();
        if (!told_ || step_ == step::idle) break;
        events = begin(step_);
    }
    running_ = false;
    if (!told_) return;
    if (step_ == step::idle)
        await_read();
    else if (watch_socket())
        wait_for(events);
    else
        fail();
}

void connection::wait_for(int events) {
    awaited_ = events;
    if (events & MYSQL_WAIT_READ) await_read();
    if (events & MYSQL_WAIT_WRITE) await_write();
}

void connection::await_read() {
    if (std::exchange(reads_, true)) return;
    socket_->async_wait(descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        self->reads_ = false;
        if (!ec) self->go_on([&] { self->on_event(MYSQL_WAIT_READ); });
    });
}

void connection::await_write() {
    if (std::exchange(writes_, true)) return;
    socket_->async_wait(descriptor::wait_write, [self = shared_from_this()](error_code ec) {
        self->writes_ = false;
        if (!ec) self->go_on([&] { self->on_event(MYSQL_WAIT_WRITE); });
    });
}

// A server that was asked nothing says only that it ends the connection. But what woke this may be an answer
// that libmariadb has read by now, for it tries before it waits.
bool connection::has_ended() const noexcept {
    char first = 0;
    const ssize_t size = ::recv(own_socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    return size >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

// libmariadb would tell a server that does not encrypt who it is, unless it is to verify the server's name.
// What it waits for meanwhile has happened when there is a greeting.
bool connection::has_been_greeted() {
    std::array<unsigned char, longest_greeting> bytes{};
    const ssize_t size = ::recv(own_socket_, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
    const bool comes_later = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    // Where it has ended libmariadb says why.
    const auto kind = comes_later ? greeting_kind::unfinished
                      : size <= 0 ? greeting_kind::refusal
                                  : kind_of_greeting({bytes.data(), static_cast<std::size_t>(size)});
    if (kind == greeting_kind::unfinished) {
        await_read();
        return false;
    }
    awaits_greeting_ = false;
    held_event_ = awaited_;
    if (kind == greeting_kind::plain) fail("it does not encrypt the connection, which ssl-mode demands");
    return kind != greeting_kind::plain;
}

void connection::on_event(int event) {
    if (step_ == step::idle) {
        if (event == MYSQL_WAIT_READ) has_ended() ? fail() : await_read();
        return;
    }
    if (awaits_greeting_ && !has_been_greeted()) return;
    if (held_event_) event = std::exchange(held_event_, 0);
    if (!(awaited_ & event)) return;
    awaited_ = 0;
    run(resume(event));
}

void connection::send(const sql::statements& all) noexcept {
    if (!told_) return;
    std::string text;
    for (const sql::statement& s : all)
        text.append(text.empty() ? "" : ";").append(s.text);
    texts_.push_back(std::move(text));
    if (!is_connected_ || running_ || step_ != step::idle) return;
    next_text();
    const int events = begin(step_);
    if (events == 0) return run_later();
    watch_socket() ? wait_for(events) : fail_later();
}

void connection::fail(std::string_view why) {
    if (!told_) return;
    sql::link_listener& told = *std::exchange(told_, nullptr);
    const unsigned code = handle_ ? mysql_errno(handle_.get()) : 0;
    const std::string words = code == 0 ? std::string(why.empty() ? "the connection was closed" : why)
                                        : core::printable(mysql_error(handle_.get()), longest_words);
    constexpr std::array refusals{
        static_cast<unsigned>(ER_ACCESS_DENIED_ERROR), static_cast<unsigned>(ER_DBACCESS_DENIED_ERROR),
        static_cast<unsigned>(ER_ACCESS_DENIED_NO_PASSWORD_ERROR),
        static_cast<unsigned>(CR_AUTH_PLUGIN_CANNOT_LOAD), static_cast<unsigned>(CR_AUTH_PLUGIN_ERR)};
    const bool refused_login = !is_connected_ && std::ranges::find(refusals, code) != refusals.end();
    close();
    told.broken(words, refused_login);
}

// Not its rows: they would be waited for.
void connection::drop_result() noexcept {
    if (!result_) return;
    result_->handle = nullptr;
    mysql_free_result(std::exchange(result_, nullptr));
}

// While something is under way, or the server may be away, nobody is to wait until it has taken a farewell.
void connection::close() noexcept {
    told_ = nullptr;
    if (own_socket_ >= 0 && step_ != step::idle) ::shutdown(own_socket_, SHUT_RDWR);
    unshared_copy_.reset();
    unshared_.reset();
    socket_.reset();
    own_socket_ = -1;
    drop_result();
    handle_.reset();
}

// The child has another socket in the place of the connection's. To close the copy would leave it in the
// child's epoll, for the parent's descriptor keeps the connection alive.
void connection::leave() noexcept {
    told_ = nullptr;
    unshared_copy_.reset();
    unshared_.reset();
    if (socket_ && socket_->is_open()) ::close(socket_->release());
    own_socket_ = -1;
    drop_result();
    handle_.reset();
}

} // namespace redlock::mariadb
