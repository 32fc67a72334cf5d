#pragma once

#include "text/progress_note.hpp"

#include <redlock/client.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string>

namespace redlock::tool {

/// Says on a terminal, in a line of standard error, what takes longer than a second and how many nodes are
/// there for it. The line goes away with the object, which must be destroyed before anything else is written.
class node_progress {
public:
    /// `what` is done, such as "searching". Refers to the client.
    node_progress(const boost::asio::any_io_executor& executor, const client& locks, std::string what);
    node_progress(const node_progress&) = delete;
    node_progress& operator=(const node_progress&) = delete;

private:
    void wait();
    void draw();

    const client& locks_;
    std::string what_;
    progress_note line_{};
    boost::asio::steady_timer timer_;
    std::shared_ptr<bool> life_ =
        std::make_shared<bool>(true); ///< what fell due in time may be told too late
};

} // namespace redlock::tool
