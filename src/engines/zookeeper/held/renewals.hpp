#pragma once

#include "engines/zookeeper/errands.hpp"

#include <memory>
#include <vector>

namespace redlock::zookeeper {

/// The renewals of a turn, which leave as one transaction, or as few: each shows that the node of a claim is
/// there, and raises the life in its record where it is to be longer. As a transaction it goes by the leader,
/// and its answer proves that the session lived then: an answer to a ping, or to a read, proves nothing.
class renewals {
public:
    explicit renewals(zookeeper_engine& of) noexcept : engine_(of) {}
    ~renewals() { abandon(); }

    void add(renewal& r) noexcept { waiting_.push_back(r); }
    void add(token_advance& t);
    bool is_empty() const noexcept { return waiting_.empty(); }
    /// Hands all that wait to the session.
    void send();
    void abandon() noexcept;

private:
    using bundle = std::vector<std::unique_ptr<renewal>>;

    std::string mark_path(const claim& c, std::chrono::milliseconds life) const;
    void send_bundle();
    static void note_longer_life(const renewal& longer, const operation_result& done) noexcept;
    void confirmed(renewal& one, core::instant sent_at);
    void answered(bundle& all, const std::vector<std::size_t>& owners, const reply& r);

    zookeeper_engine& engine_;
    turn::live_list<renewal> waiting_;
};

} // namespace redlock::zookeeper
