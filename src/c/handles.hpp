#pragma once

#include <redlock/blocking.hpp>
#include <redlock/config.hpp>
#include <redlock/redlock.h>

#include <optional>
#include <stop_token>

// What the handles of the C interface stand for.

struct redlock_settings {
    redlock::config what;
};

struct redlock_client {
    redlock::blocking::client what;
};

struct redlock_stop {
    std::stop_source what;
};

struct redlock_lease {
    struct loss_call {
        void (*function)(void*);
        void* context;
        void operator()() const { function(context); }
    };

    redlock::blocking::lease what;
    std::optional<std::stop_callback<loss_call>> on_loss; ///< is gone before the lease
};
