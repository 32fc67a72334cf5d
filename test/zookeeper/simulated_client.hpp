#pragma once

#include "engines/zookeeper/departure.hpp"
#include "simulated_world.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace redlock::zookeeper::test {

/// Takes one key again and again by the rule, with the classes of the engine; of those, contest, departure
/// and session are done here anew, for what they ask for passes through the world.
class simulated_client {
public:
    enum class answer { done, refused, no_node, unknown, spoiled };
    using everybody = std::vector<std::unique_ptr<simulated_client>>;

    simulated_client(world& w, char name, everybody& all);
    bool believes(instant at) const { return at < believed_until_; }
    bool only_reads() const { return believes_reading_; }
    /// In the calm at the end it has had enough.
    bool over = false;

private:
    using state = simulated_ensemble::state;
    using writer = std::function<answer(state&)>;

    // The way to the servers, and the session.
    void live();
    bool is_cut_off() const { return world_.now < cut_off_until_; }
    milliseconds delay() { return milliseconds(world_.between(1, world_.calm ? 5 : 30)); }
    milliseconds delay_of_answer();
    milliseconds rest();
    /// Runs when the client does.
    void hear(milliseconds delay, std::function<void()> what);
    bool check_session();
    void look(std::function<void(const sight&)> then);
    /// `late`: it may be done also after the client was told that nobody knows. Others are not, for servers
    /// refuse what comes over the connection before.
    void write(writer what, bool late, std::function<void(answer)> then);
    answer apply(const writer& what, std::int64_t session);
    /// Some server's view, never older than what was seen before.
    state view();
    answer add_node(state& f, const std::string& token, std::int64_t session, bool reads = false);

    // A contest.
    void next_try();
    void begin_claim();
    void end_try();
    void give_up_claim();
    void perform(const place::step& s);
    void looked(const sight& seen);
    void look_on_arrival();
    void take(bool with_node, bool jointly = true);
    void take_to_read(bool jointly = true);
    /// Whether another one, with which it leaves, spoils it: then it is asked for alone.
    bool draw_spoiled(bool jointly) { return jointly && world_.chance(world_.around.spoiled); }
    void granted(instant sent);

    // What is held.
    void believe(instant sent);
    /// Gives the key back when its time has run out, as the client's timer does.
    void end_in_time(const std::string& token);
    void renew_or_release();
    void downgrade();
    void leave_mark(const std::string& reading);

    // Who leads.
    void begin_to_lead();
    void say_more();
    /// What the statement wants next, one request at a time.
    void go_on_saying();
    void ask_for(statement::action what);
    void look_at_leader();

    /// Gives back until nothing is left.
    void depart(const std::string& token, const holding& has, std::function<void()> then);

    world& world_;
    const char name_;
    everybody& all_;
    std::int64_t session_ = 0, seen_ = 0;
    std::size_t lag_ = 0;
    instant cut_off_until_{}, stopped_until_{}, believed_until_{}, holds_until_{}, runs_out_at_{};
    std::unique_ptr<place> place_;
    absences absent_;
    std::string token_;
    holding has_;
    sight seen_folder_;
    missing missing_;
    bool reads_ = false; ///< this try
    bool believes_reading_ = false;
    std::string leading_; ///< token of the try that leads; empty when it is over
    std::map<std::string, std::shared_ptr<statement>> saying_; ///< tokens whose request is under way
    bool given_back_ = false;                                  ///< by that timer
    int tries_ = 0;
};

} // namespace redlock::zookeeper::test
