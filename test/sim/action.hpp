#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace redlock::sim {

/// Something to be done once, which may own what cannot be copied.
class action {
public:
    action() = default;
    template <class What, class = std::enable_if_t<!std::is_same_v<std::decay_t<What>, action>>>
    action(What&& what) : held_(std::make_unique<holder<std::decay_t<What>>>(std::forward<What>(what))) {}

    explicit operator bool() const noexcept { return held_ != nullptr; }
    void operator()() const { held_->call(); }

private:
    struct base {
        virtual ~base() = default;
        virtual void call() = 0;
    };
    template <class What>
    struct holder final : base {
        template <class From>
        explicit holder(From&& from) : what(std::forward<From>(from)) {}
        void call() override { what(); }
        What what;
    };

    std::unique_ptr<base> held_;
};

} // namespace redlock::sim
