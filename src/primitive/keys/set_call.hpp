#pragma once

#include "lease/call.hpp"
#include "memory/fixed_array.hpp"
#include "primitive/keys/ordered_taking.hpp"
#include "primitive/keys/set_member.hpp"
#include "time/instant.hpp"

#include <redlock/lease_set.hpp>
#include <redlock/lock_options.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::primitive {

/// client::async_lock_all: carries out what `ordered_taking` decides.
class set_call final : public lock::completing_call<lease_set>, private set_listener {
public:
    set_call(std::shared_ptr<lock::lessee> l, handler&& h, std::vector<std::string> keys,
             const lock_options& options, std::stop_source stop);

private:
    void begin() override;
    void cancel() noexcept override;

    errc fault() noexcept;
    std::string text_of(errc fault);
    void refuse(errc why);
    void put_in_order();
    void carry_out(ordered_taking::step next);
    void ask(std::size_t from, std::size_t to, core::nanoseconds wait);
    void settle();
    void give_back_from(std::size_t first) noexcept;
    std::size_t member_of(std::size_t given) const noexcept {
        return member_of_.empty() ? given : member_of_[given];
    }
    void grant();
    void fail(errc why);

    void member_refused(const set_member& m, errc why, const engine::failure* more) noexcept override;
    void member_settled() noexcept override;
    void member_lost() noexcept override;

    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::vector<std::string> keys_; ///< as they were given, each once
    lock_options options_;
    std::stop_source stop_;
    memory::fixed_array<set_member> members_; ///< by their names
    std::vector<std::size_t> member_of_;      ///< a key as it was given; of one key nothing
    std::optional<ordered_taking> rule_;
    ordered_taking::step step_ = ordered_taking::step::ask_for_rest;
    time::instant began_at_{};
    time::instant waits_since_ = time::instant::max();
    std::size_t under_way_ = 0;
    std::size_t failed_ = none; ///< position of the first that could not be had
    errc why_failed_{};
    bool lost_ = false; ///< one that was held
    bool cancelled_ = false;
};

} // namespace redlock::primitive
