#include "engines/etcd/line/http2_session.hpp"

#include "core/printable.hpp"
#include "engines/etcd/line/http2_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

namespace redlock::etcd {

namespace {

// Enough for whatever a call may answer at once, and for a thousand of them.
constexpr std::uint32_t window_of_stream = std::uint32_t(4) << 20;
constexpr std::int32_t window_of_all = 16 << 20;
constexpr std::size_t enough_at_once = std::size_t(256) << 10;
constexpr std::size_t longest_words = 120;

template <class Made, class Make>
Made made_by(Make make) {
    Made made = nullptr;
    if (make(&made) != 0) throw std::bad_alloc();
    return made;
}

nghttp2_nv field(std::string_view name, std::string_view value, std::uint8_t flags = 0) noexcept {
    const auto plain = [](std::string_view text) {
        return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
    };
    return {plain(name), plain(value), name.size(), value.size(),
            static_cast<std::uint8_t>(flags | NGHTTP2_NV_FLAG_NO_COPY_NAME)};
}

/// One whose value lives for as long as the session.
nghttp2_nv lasting_field(std::string_view name, std::string_view value) noexcept {
    return field(name, value, NGHTTP2_NV_FLAG_NO_COPY_VALUE);
}

/// Text of theirs, and what it is about.
std::string quoted(std::string_view before, const std::uint8_t* text, std::size_t size) {
    if (size == 0) return std::string(before);
    return fmt::format("{}: {}", before,
                       core::printable({reinterpret_cast<const char*>(text), size}, longest_words));
}

} // namespace

std::string http2_session::unlike_http2(int error) {
    return fmt::format("does not keep to HTTP/2: {}", nghttp2_strerror(error));
}

http2_session::http2_session(std::string authority, bool encrypted)
    : authority_(std::move(authority)), scheme_(encrypted ? "https" : "http") {
    const std::unique_ptr<nghttp2_session_callbacks, decltype(&nghttp2_session_callbacks_del)> calls(
        made_by<nghttp2_session_callbacks*>(nghttp2_session_callbacks_new), &nghttp2_session_callbacks_del);
    nghttp2_session_callbacks_set_on_header_callback(calls.get(), events::field);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls.get(), events::data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls.get(), events::frame);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(calls.get(), events::invalid_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls.get(), events::closed);
    const std::unique_ptr<nghttp2_option, decltype(&nghttp2_option_del)> options(
        made_by<nghttp2_option*>(nghttp2_option_new), &nghttp2_option_del);
    // It would keep streams that have ended for a priority that nobody sets.
    nghttp2_option_set_no_closed_streams(options.get(), 1);
    session_.reset(made_by<nghttp2_session*>([&](nghttp2_session** made) {
        return nghttp2_session_client_new2(made, calls.get(), this, options.get());
    }));
    settle();
}

void http2_session::settle() {
    const std::array<nghttp2_settings_entry, 3> ours{
        {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
         {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window_of_stream},
         {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(reply_head::longest)}}};
    if (nghttp2_submit_settings(session_.get(), NGHTTP2_FLAG_NONE, ours.data(), ours.size()) != 0 ||
        nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, 0, window_of_all) != 0)
        throw std::bad_alloc();
}

bool http2_session::begin(exchange& e, std::string_view token) noexcept {
    if (leaving_) return false;
    e.begin_anew();
    e.outgoing_.rewind();
    // A member that knows of no leader refuses then, and ends streams, where it would let them wait.
    std::array<nghttp2_nv, 9> fields{lasting_field(":method", "POST"),
                                     lasting_field(":scheme", scheme_),
                                     lasting_field(":path", e.method_.path),
                                     lasting_field(":authority", authority_),
                                     lasting_field("te", "trailers"),
                                     lasting_field("content-type", "application/grpc"),
                                     lasting_field("user-agent", "redlock"),
                                     lasting_field("hasleader", "true"),
                                     field("token", token)};
    const nghttp2_data_provider source{.source = {}, .read_callback = events::read};
    const int id = nghttp2_submit_request(session_.get(), nullptr, fields.data(),
                                          fields.size() - token.empty(), &source, &e);
    if (id < 0) return false;
    e.id_ = id;
    if (e.single_) unsent_ += e.outgoing_.left();
    return true;
}

// One that is longer than all there is room for has to share it: it goes alone.
bool http2_session::has_room_for(const exchange& e) const noexcept {
    const std::int32_t room = nghttp2_session_get_remote_window_size(session_.get());
    if (room <= 0) return false;
    return unsent_ == 0 || unsent_ + e.outgoing_.left() <= static_cast<std::size_t>(room);
}

void http2_session::go_on(exchange& e) noexcept {
    // Fails where it does not wait for more: it is asked then all the same.
    if (e.is_under_way()) nghttp2_session_resume_data(session_.get(), e.id_);
}

void http2_session::cancel(exchange& e) noexcept {
    if (!e.is_under_way()) return;
    const std::int32_t id = e.id_;
    forget(e);
    nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

void http2_session::ping() noexcept { nghttp2_submit_ping(session_.get(), NGHTTP2_FLAG_NONE, nullptr); }

bool http2_session::takes_more() const noexcept {
    return nghttp2_session_check_request_allowed(session_.get()) != 0;
}

bool http2_session::is_used_up() const noexcept {
    constexpr std::uint32_t last = std::numeric_limits<std::int32_t>::max();
    return nghttp2_session_get_next_stream_id(session_.get()) > last;
}

bool http2_session::has_outgoing() const noexcept { return nghttp2_session_want_write(session_.get()) != 0; }

bool http2_session::gather(bytes& to, core::instant now) noexcept try {
    now_ = now;
    while (to.size() < enough_at_once) {
        const std::uint8_t* some = nullptr;
        const ssize_t size = nghttp2_session_mem_send(session_.get(), &some);
        if (size < 0) {
            break_off(unlike_http2(static_cast<int>(size)));
            return false;
        }
        if (size == 0) return true;
        to.append(reinterpret_cast<const char*>(some), static_cast<std::size_t>(size));
    }
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

bool http2_session::arrived(std::string_view some) noexcept {
    const ssize_t taken = nghttp2_session_mem_recv(
        session_.get(), reinterpret_cast<const std::uint8_t*>(some.data()), some.size());
    if (taken < 0) {
        break_off(unlike_http2(static_cast<int>(taken)));
        return false;
    }
    // It is about to say goodbye by itself, which it does to what breaks the protocol.
    if (!leaving_ && !takes_more() && !is_used_up()) break_off("does not keep to HTTP/2");
    return problem_.empty() && nghttp2_session_want_read(session_.get()) != 0;
}

exchange* http2_session::next_news() noexcept {
    if (news_.empty()) return nullptr;
    exchange& e = news_.front();
    news_.pop_front();
    return &e;
}

int http2_session::break_off(std::string why) noexcept {
    if (problem_.empty()) problem_ = std::move(why);
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

exchange* http2_session::at(std::int32_t id) const noexcept {
    return static_cast<exchange*>(nghttp2_session_get_stream_user_data(session_.get(), id));
}

void http2_session::forget(exchange& e) noexcept {
    nghttp2_session_set_stream_user_data(session_.get(), e.id_, nullptr);
    if (e.single_) {
        kept_ -= e.incoming_.size();
        unsent_ -= e.outgoing_.left();
    }
    e.id_ = 0;
    e.news_.unlink();
}

void http2_session::finish(exchange& e, ending how) noexcept {
    const std::int32_t id = e.id_;
    forget(e);
    e.ending_ = how;
    news_.push_back(e);
    if (how == ending::in_order && nghttp2_session_get_stream_local_close(session_.get(), id) == 0)
        nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

int http2_session::take_field(std::int32_t id, std::string_view name, std::string_view value) noexcept try {
    exchange* const e = at(id);
    if (!e || e->head_.take(name, value)) return 0;
    return break_off("sent more than 16 KiB of header fields");
} catch (const std::bad_alloc&) {
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

int http2_session::take_data(std::int32_t id, std::string_view some) noexcept try {
    exchange* const e = at(id);
    if (!e) return 0;
    if (const char* const wrong = e->incoming_.append(some, e->single_)) return break_off(wrong);
    if (!e->single_) {
        if (!e->news_.is_linked()) news_.push_back(*e);
        return 0;
    }
    kept_ += some.size();
    return kept_ <= most_kept ? 0 : break_off("sent more than 64 MiB of unfinished answers");
} catch (const std::bad_alloc&) {
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

void http2_session::take_frame(const nghttp2_frame& f) noexcept {
    switch (f.hd.type) {
    case NGHTTP2_SETTINGS:
        settled_ = settled_ || (f.hd.flags & NGHTTP2_FLAG_ACK) == 0;
        return;
    case NGHTTP2_GOAWAY:
        leaving_ = true;
        if (problem_.empty() && f.goaway.error_code != NGHTTP2_NO_ERROR)
            problem_ = quoted(
                fmt::format("ends the connection with {}", nghttp2_http2_strerror(f.goaway.error_code)),
                f.goaway.opaque_data, f.goaway.opaque_data_len);
        return;
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA:
        if ((f.hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return;
        if (exchange* const e = at(f.hd.stream_id)) finish(*e, ending::in_order);
        return;
    default:
        return;
    }
}

void http2_session::end_at_once(const nghttp2_goaway& g) noexcept {
    if (!problem_.empty()) return;
    breaks_protocol_ = false;
    problem_ = quoted(fmt::format("ends the connection with {}", nghttp2_http2_strerror(g.error_code)),
                      g.opaque_data, g.opaque_data_len);
}

void http2_session::take_end(std::int32_t id, std::uint32_t error) noexcept {
    exchange* const e = at(id);
    if (!e) return;
    switch (error) {
    case NGHTTP2_REFUSED_STREAM:
        return finish(*e, ending::refused);
    case NGHTTP2_PROTOCOL_ERROR:
    case NGHTTP2_FLOW_CONTROL_ERROR:
    case NGHTTP2_FRAME_SIZE_ERROR:
    case NGHTTP2_COMPRESSION_ERROR:
        return finish(*e, ending::malformed);
    default:
        return finish(*e, ending::reset);
    }
}

long http2_session::give_data(std::int32_t id, std::span<char> room, std::uint32_t& flags) noexcept {
    exchange* const e = at(id);
    if (!e) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (e->outgoing_.all_taken()) return NGHTTP2_ERR_DEFERRED;
    if (e->outgoing_.none_taken()) e->left_at_ = now_;
    const std::size_t taken = e->outgoing_.take(room);
    if (e->single_) unsent_ -= taken;
    if (e->single_ && e->outgoing_.all_taken()) flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<long>(taken);
}

} // namespace redlock::etcd
