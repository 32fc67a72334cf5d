#pragma once

#include <redlock/detail/diagnostics.hpp>

#include <boost/system/error_code.hpp>

#include <memory>

namespace redlock::detail {

/// The end of a call on its way from the client's strand to the handler. It is always delivered by the
/// handler's own executor, so that foreign code never runs on the strand, and counted there as outstanding
/// work from the initiation on. Only not by the client's own loop, which has work anyway: the connections and
/// timers of an open client, or the turn that was posted for the call.
class completion {
public:
    completion(const completion&) = delete;
    completion& operator=(const completion&) = delete;

    /// Has the handler's executor deliver it, and belongs to that from now on. Or false, and nothing was
    /// done: for the client's own loop, which delivers several with one post.
    virtual bool post() = 0;
    /// Calls the handler with the results, on the executor that is right for it. It is gone before the
    /// handler begins.
    virtual void deliver() = 0;
    /// Lets go of the handler without calling it.
    virtual void discard() noexcept = 0;
    /// Where to put what there is to say of a failure, before it is posted or delivered; null when nobody
    /// wants to hear it.
    virtual diagnostics* wanted_diagnostics() noexcept { return nullptr; }

protected:
    completion() = default;
    ~completion() = default;

private:
    friend class completion_queue;
    completion* next_ = nullptr;
};

struct discard_completion {
    void operator()(completion* c) const noexcept { c->discard(); }
};

template <class T>
using completion_pointer = std::unique_ptr<T, discard_completion>;

/// A completion that still waits for its results.
template <class... Results>
class open_completion : public completion {
public:
    /// Once, before it is posted or delivered. Takes the results over.
    virtual void set(const boost::system::error_code& ec, Results&&... results) noexcept = 0;

protected:
    ~open_completion() = default;
};

} // namespace redlock::detail
