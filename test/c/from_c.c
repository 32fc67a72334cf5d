#include "c/from_c.h"

#include <redlock/redlock.h>

#include <string.h>

static void count(void* calls) { ++*(int*)calls; }

static const char* hold(redlock_client* client) {
    redlock_lock_options options;
    redlock_lease* lease = NULL;
    redlock_lease* another = NULL;
    int losses = 0;

    if (redlock_lock_options_init(&options, sizeof options) != REDLOCK_OK) return redlock_last_error();
    options.fencing = 1;
    options.lost = count;
    options.lost_context = &losses;
    if (redlock_lock(client, "from-c", &options, &lease) != REDLOCK_OK) return redlock_last_error();
    if (!redlock_valid(lease) || redlock_fencing_token(lease) == 0) return "the lease is not valid";
    options.wait = 0;
    if (redlock_lock(client, "from-c", &options, &another) != REDLOCK_HELD || another)
        return "it was granted twice";
    if (strstr(redlock_last_error(), "from-c") == NULL) return "the key is not named";
    if (redlock_unlock(lease) != REDLOCK_OK) return redlock_last_error();
    return losses == 0 ? NULL : "a lease that was unlocked counts as lost";
}

const char* lock_from_c(const char* node) {
    redlock_settings* const settings = redlock_settings_create();
    redlock_client* client = NULL;
    const char* wrong = NULL;
    if (redlock_settings_add_node(settings, node) != REDLOCK_OK ||
        redlock_open(settings, &client) != REDLOCK_OK)
        wrong = redlock_last_error();
    redlock_settings_destroy(settings);
    if (!wrong) wrong = hold(client);
    redlock_close(client);
    return wrong;
}
