#include "engines/sql/postgresql/session/connection.hpp"

#include "core/printable.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace redlock::postgresql {

namespace {

constexpr std::size_t longest_cell = 8192; ///< a key has 2048 bytes at most, which take twice as many in text
constexpr std::size_t longest_words = 200;
constexpr int most_rows = 4096;
constexpr std::size_t most_answers = 64;

sql::answer::row row_of(const PGresult* r, int index) {
    sql::answer::row row;
    for (int column = 0; column < PQnfields(r); ++column) {
        if (PQgetisnull(r, index, column)) {
            row.emplace_back();
            continue;
        }
        const auto size = static_cast<std::size_t>(PQgetlength(r, index, column));
        row.emplace_back(std::string(PQgetvalue(r, index, column), std::min(size, longest_cell)));
    }
    return row;
}

std::string field_of(const PGresult* r, int field) {
    const char* const text = PQresultErrorField(r, field);
    return text ? core::printable(text, longest_words) : std::string();
}

sql::answer answer_of(const PGresult* r) {
    sql::answer a;
    const ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_COMMAND_OK) return a;
    if (status == PGRES_TUPLES_OK) {
        for (int i = 0; i < std::min(PQntuples(r), most_rows); ++i)
            a.rows.push_back(row_of(r, i));
        return a;
    }
    a.error_code = field_of(r, PG_DIAG_SQLSTATE);
    a.error_text = field_of(r, PG_DIAG_MESSAGE_PRIMARY);
    // Of libpq itself: the connection has ended.
    if (a.error_code.empty()) a.error_code = "08006";
    return a;
}

} // namespace

connection::connection(const strand& on, turn::turns& t, const address& to, sql::link_listener& told)
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

std::vector<address::parameter> connection::parameters_of(const sql::login& l) const {
    std::vector<address::parameter> all = to_.parameters;
    all.emplace_back("host", l.at.host);
    if (!l.at.is_path()) all.emplace_back("hostaddr", l.numeric);
    all.emplace_back("port", l.at.port);
    all.emplace_back("client_encoding", "UTF8");
    const auto lacks = [&](std::string_view keyword) {
        return std::ranges::none_of(to_.parameters, [&](const auto& p) { return p.first == keyword; });
    };
    if (lacks("application_name")) all.emplace_back("application_name", l.client_name);
    // It would look for credentials of Kerberos, and wait for them.
    if (lacks("gssencmode")) all.emplace_back("gssencmode", "disable");
    if (!l.who) return all;
    std::erase_if(all, [](const auto& p) { return p.first == "user" || p.first == "password"; });
    if (!l.who->user.empty()) all.emplace_back("user", l.who->user);
    if (!l.who->password.empty()) all.emplace_back("password", l.who->password);
    return all;
}

void connection::connect(const sql::login& l) {
    const std::vector<address::parameter> with = parameters_of(l);
    std::vector<const char*> keywords, values;
    for (const auto& [keyword, value] : with) {
        keywords.push_back(keyword.c_str());
        values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    connection_.reset(PQconnectStartParams(keywords.data(), values.data(), 0));
    if (!connection_) throw std::bad_alloc();
    // It would write them to standard error.
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
    connecting_ = true;
    if (PQstatus(connection_.get()) == CONNECTION_BAD) return fail_later();
    wait_to_connect(descriptor::wait_write);
}

void connection::fail_later() noexcept {
    boost::asio::post(strand_, [self = shared_from_this()] { self->go_on([&] { self->fail(); }); });
}

// The socket may be another one after each step.
bool connection::watch_socket() {
    unshared_copy_.reset();
    unshared_.reset();
    socket_.reset();
    const int own = PQsocket(connection_.get());
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

void connection::wait_to_connect(descriptor::wait_type what) {
    if (!watch_socket()) return fail_later();
    socket_->async_wait(what, [self = shared_from_this()](error_code ec) {
        if (!ec) self->go_on([&] { self->go_on_connecting(); });
    });
}

void connection::go_on_connecting() {
    switch (PQconnectPoll(connection_.get())) {
    case PGRES_POLLING_READING:
        return wait_to_connect(descriptor::wait_read);
    case PGRES_POLLING_WRITING:
        return wait_to_connect(descriptor::wait_write);
    case PGRES_POLLING_OK:
        return serve();
    default:
        return fail();
    }
}

void connection::serve() {
    connecting_ = false;
    const bool usable = PQsetnonblocking(connection_.get(), 1) == 0 &&
                        PQenterPipelineMode(connection_.get()) == 1 && watch_socket();
    if (!usable) return fail();
    read();
    told_->connected();
}

void connection::read() {
    socket_->async_wait(descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (!ec) self->go_on([&] { self->on_readable(); });
    });
}

void connection::on_readable() {
    const auto alive = shared_from_this();
    const bool intact = PQconsumeInput(connection_.get()) == 1;
    take_answers();
    if (told_) take_notices();
    if (!told_) return;
    if (!intact || PQstatus(connection_.get()) == CONNECTION_BAD) return fail();
    // Answers may have made room for what is still to be sent.
    if (!writing_) write();
    if (told_) read();
}

void connection::take_answers() {
    while (told_ && unanswered_ > 0 && !PQisBusy(connection_.get())) {
        const result r(PQgetResult(connection_.get()));
        if (r) take(r); // none: a statement has no more results
        if (!r && PQstatus(connection_.get()) == CONNECTION_BAD) return;
    }
}

void connection::take(const result& r) {
    switch (PQresultStatus(r.get())) {
    case PGRES_PIPELINE_SYNC:
        --unanswered_;
        return told_->answered(std::exchange(answers_, {}));
    case PGRES_PIPELINE_ABORTED:
        return;
    default:
        // No transaction has so many statements.
        if (answers_.size() == most_answers) return fail();
        answers_.push_back(answer_of(r.get()));
    }
}

void connection::take_notices() {
    while (told_) {
        const std::unique_ptr<PGnotify, decltype(&PQfreemem)> n(PQnotifies(connection_.get()), &PQfreemem);
        if (!n) return;
        told_->notified(std::string_view(n->extra, ::strnlen(n->extra, longest_words)));
    }
}

bool connection::put(const sql::statement& s) noexcept {
    if (s.prepares()) return PQsendPrepare(connection_.get(), s.name, s.text.c_str(), 0, nullptr) == 1;
    std::vector<const char*> values;
    std::vector<int> lengths;
    const int count = static_cast<int>(s.given.size());
    for (std::size_t i = 0; i < s.given.size(); ++i) {
        values.push_back(s.given[i].data());
        lengths.push_back(static_cast<int>(s.given[i].size()));
    }
    const std::vector<int> binary(s.given.size(), 1);
    if (!s.text.empty())
        return PQsendQueryParams(connection_.get(), s.text.c_str(), count, nullptr, values.data(),
                                 lengths.data(), binary.data(), 0) == 1;
    return PQsendQueryPrepared(connection_.get(), s.name, count, values.data(), lengths.data(), binary.data(),
                               0) == 1;
}

void connection::send(const sql::statements& all) noexcept {
    if (!told_) return;
    bool sent = true;
    for (const sql::statement& s : all)
        sent = sent && put(s);
    sent = sent && PQpipelineSync(connection_.get()) == 1;
    ++unanswered_;
    if (!sent) return fail_later();
    if (!writing_) write();
}

void connection::write() {
    switch (PQflush(connection_.get())) {
    case 0:
        return;
    case 1:
        writing_ = true;
        return socket_->async_wait(descriptor::wait_write, [self = shared_from_this()](error_code ec) {
            self->writing_ = false;
            if (!ec) self->go_on([&] { self->write(); });
        });
    default:
        return fail_later();
    }
}

void connection::fail() {
    if (!told_) return;
    sql::link_listener& told = *std::exchange(told_, nullptr);
    const std::string words =
        core::printable(connection_ ? PQerrorMessage(connection_.get()) : "", longest_words);
    const bool refused_login =
        connecting_ && connection_ && PQstatus(connection_.get()) == CONNECTION_BAD &&
        (PQconnectionNeedsPassword(connection_.get()) == 1 || words.find("authentication") != words.npos);
    close();
    told.broken(words, refused_login);
}

void connection::close() noexcept {
    told_ = nullptr;
    unshared_copy_.reset();
    unshared_.reset();
    socket_.reset();
    connection_.reset();
}

// To close it would leave it in the child's epoll, for the parent's descriptor keeps the connection alive.
void connection::leave() noexcept {
    told_ = nullptr;
    unshared_copy_.reset();
    unshared_.reset();
    if (socket_ && socket_->is_open()) ::close(socket_->release());
    connection_.reset();
}

} // namespace redlock::postgresql
