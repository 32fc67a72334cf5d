#include "nodes/client_session.hpp"

#include "cli/exit_status.hpp"
#include "cli/option_words.hpp"
#include "cli/setter.hpp"
#include "text/notice.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

namespace redlock::tool {

client open_client(boost::asio::io_context& context, config settings) {
    try {
        return client(context.get_executor(), std::move(settings));
    } catch (const std::system_error& e) {
        throw usage_error(in_options(e.what()));
    }
}

int with_client(config settings, const std::function<boost::asio::awaitable<int>(client&)>& body) {
    namespace asio = boost::asio;
    asio::io_context context(1);
    client locks = open_client(context, std::move(settings));
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    asio::cancellation_signal interruption;
    int signal = 0;
    int status = failed;
    std::exception_ptr failure;
    signals.async_wait([&](boost::system::error_code error, int number) {
        if (error) return;
        signal = number;
        interruption.emit(asio::cancellation_type::terminal);
    });
    auto on_end = [&](std::exception_ptr thrown, int result) {
        failure = thrown;
        status = result;
        signals.cancel();
        locks.async_close(asio::detached);
    };
    asio::co_spawn(context, body(locks), asio::bind_cancellation_slot(interruption.slot(), on_end));
    context.run();
    if (signal != 0) return status_of_signal(signal);
    if (failure) std::rethrow_exception(failure);
    return status;
}

void report_failed_nodes(const client& locks) {
    std::fflush(stdout);
    for (const auto& n : locks.metrics().nodes) {
        if (n.state == "ready") continue;
        const std::string why = n.last_error_text.empty() ? n.node + ": " + n.state : n.last_error_text;
        print_notice(in_options(why));
    }
}

} // namespace redlock::tool
