#pragma once

#include "engines/redis/dialect/session.hpp"
#include "engines/redis/dialect/token_news.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace redlock::redis {

class queue_stand;
class quorum;
class release;

/// What nodes tell this client of its tokens: takes the news to whoever they are for.
class hand_overs final : private node::reply_receiver {
public:
    explicit hand_overs(quorum& q) noexcept : quorum_(q) {}
    hand_overs(const hand_overs&) = delete;
    hand_overs& operator=(const hand_overs&) = delete;

    /// By its present token.
    void add(queue_stand& s);
    void remove(const queue_stand& s) noexcept;

    /// Asks the nodes to tell, where that was not done yet.
    void listen_everywhere();
    /// Whether a majority of the nodes keeps queues, as far as is known.
    bool are_likely() const noexcept;
    /// Whether this client may stand in a queue there, as far as is known.
    bool may_enter(std::uint32_t index) const noexcept;
    /// Likewise, but is told of nothing: it hears that it has the key when it enters again.
    bool is_untold(std::uint32_t index) const noexcept;
    /// At a majority of the nodes.
    bool are_untold() const noexcept;

    /// Nobody of this client's rights can tell others there that they have a key: it is not to rely on being
    /// told.
    void cannot_tell(std::uint32_t index);

    // From the nodes.
    void node_ready(std::uint32_t index);
    void ear_changed(std::uint32_t index, bool is_up);
    void take_push(std::uint32_t index, const resp::reply& message);

private:
    bool is_wanted() const noexcept;
    bool is_to_listen() const noexcept;
    void listen(std::uint32_t index);
    void tell_stands(std::uint32_t index, bool is_new);
    void handed(std::uint32_t index, const token_news& news);
    void wanted(std::uint32_t index, const token_news& news);
    /// The claim of this client with this token; null when it has given it back.
    const claim* held(const token_news& news) const noexcept;
    const claim* contended(std::string_view token) const noexcept;
    release* release_of(std::string_view token) const noexcept;
    void give_back(std::uint32_t index, const claim_pointer& of);

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;

    quorum& quorum_;
    std::unordered_map<std::string_view, queue_stand*> by_token_; ///< the stand owns the text
};

} // namespace redlock::redis
