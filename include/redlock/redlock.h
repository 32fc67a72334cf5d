#ifndef REDLOCK_REDLOCK_H
#define REDLOCK_REDLOCK_H

/**
 * @file
 * Locks for programs in C, and for languages that bind to C.
 *
 * It is `redlock::blocking` (see there for what calls do and which errors they give) behind a C interface: a
 * client with a thread of its own, leases that this thread renews, calls that wait. Link with a C++ library.
 *
 * Calls that can fail return a `redlock_status`. When it is not `REDLOCK_OK`, `redlock_last_error()` is a
 * sentence that names the key, the nodes or the option. A pointer that must not be null and is gives
 * `REDLOCK_INVALID_ARGUMENT`. Texts are UTF-8, end with a zero and are copied. Durations are in milliseconds.
 *
 * Clients and stops may be used by any number of threads at once, settings by one at a time. Of a lease
 * `redlock_valid`, `redlock_remaining`, `redlock_fencing_token` and `redlock_slot` may be asked by any number
 * of threads at once, as long as it is not given back or destroyed.
 *
 * A forked child has no use of what its parent opened: calls give `REDLOCK_CLOSED`, leases are not valid, and
 * what is destroyed there leaves the parent's keys alone.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a call went. Numbers do not change; later versions may add some. */
typedef enum redlock_status {
    REDLOCK_OK = 0,
    REDLOCK_HELD = 1,                   /**< somebody else holds the key, and `wait` is 0 */
    REDLOCK_WAIT_TIMEOUT = 2,           /**< `wait` passed while somebody else held the key */
    REDLOCK_NO_QUORUM = 3,              /**< too few nodes answered for a majority */
    REDLOCK_LEASE_LOST = 4,             /**< the lease is no longer ours, or can no longer be trusted */
    REDLOCK_CLOSED = 5,                 /**< the client was closed, or belongs to the parent process */
    REDLOCK_INVALID_KEY = 6,            /**< the key is empty, too long or has an ending that is not free */
    REDLOCK_INVALID_OPTION = 7,         /**< a setting or an option is outside its limits */
    REDLOCK_INVALID_ADDRESS = 8,        /**< the address of a node cannot be understood */
    REDLOCK_DUPLICATE_NODE = 9,         /**< the same server is listed twice */
    REDLOCK_AUTHENTICATION_FAILED = 10, /**< a majority of nodes refuses user or password */
    REDLOCK_PERMISSION_DENIED = 11,     /**< the user may not run a command that the lock needs */
    REDLOCK_PROTOCOL_ERROR = 12,        /**< a node does not speak its protocol */
    REDLOCK_NODE_TIMEOUT = 13,          /**< a node let the deadline of a command pass */
    REDLOCK_NODE_UNAVAILABLE = 14,      /**< a node is not connected */
    REDLOCK_NODE_QUARANTINED = 15,      /**< a node is up but must not vote yet */
    REDLOCK_WRONG_TYPE = 16,            /**< the key holds something that is not a lock */
    REDLOCK_NODE_OUT_OF_MEMORY = 17,    /**< a node refused to write for lack of memory */
    REDLOCK_READ_ONLY = 18,             /**< a node refused to write: a replica, or its disk is failing */
    REDLOCK_SERVER_ERROR = 19,          /**< a node answered with an error that has no code of its own */
    REDLOCK_UNSUPPORTED = 20,           /**< the engine cannot do this */
    REDLOCK_TLS_FAILED = 21,            /**< no TLS connection to a node can be made */
    REDLOCK_CANCELLED = 1000,           /**< `redlock_stop_request` ended the wait */
    REDLOCK_INVALID_ARGUMENT = 1001,    /**< a pointer is null that must not be, or a size is not known */
    REDLOCK_WOULD_DEADLOCK = 1002,      /**< the client's own thread, in a callback, would wait for itself */
    REDLOCK_NO_MEMORY = 1003,           /**< this process is out of memory */
    REDLOCK_SYSTEM_ERROR = 1004         /**< the operating system refused something, such as a thread */
} redlock_status;

/** Who is kept out. */
typedef enum redlock_mode {
    REDLOCK_EXCLUSIVE = 0, /**< everybody, but for those who read: as if there were no reading and writing */
    REDLOCK_READ = 1,      /**< those who write */
    REDLOCK_WRITE = 2      /**< everybody */
} redlock_mode;

/** For a duration: without end. */
#define REDLOCK_FOREVER INT64_C(-1)

typedef struct redlock_settings redlock_settings; /**< of a client to be opened: `redlock::config` */
typedef struct redlock_client redlock_client;     /**< takes locks */
typedef struct redlock_lease redlock_lease;       /**< a lock that was granted */
typedef struct redlock_stop redlock_stop;         /**< ends waits before their time */

/** `redlock::version()`. Static. */
const char* redlock_version(void);

/**
 * What the last call of this thread that failed said of it; empty before the first. Until the next call of
 * the thread that fails.
 */
const char* redlock_last_error(void);

/** Settings as they are by default, without nodes; null when there is no memory. */
redlock_settings* redlock_settings_create(void);
/** They are not needed once a client is open. Null is fine. */
void redlock_settings_destroy(redlock_settings* settings);
/**
 * Adds a node, or a group of them, such as "redis://host:6379" (see `redlock::config::nodes`). What is wrong
 * with it is said by `redlock_open`, here and in what follows.
 */
redlock_status redlock_settings_add_node(redlock_settings* settings, const char* address);
/** How long a node may take for a command (50). */
redlock_status redlock_settings_set_node_timeout(redlock_settings* settings, int64_t milliseconds);
/** How long a node that restarted does not vote; as long as the longest ttl of any client (0). */
redlock_status redlock_settings_set_restart_guard(redlock_settings* settings, int64_t milliseconds);
/** What all keys begin with (nothing). */
redlock_status redlock_settings_set_key_prefix(redlock_settings* settings, const char* prefix);
/** What the servers list the connections by ("redlock"). */
redlock_status redlock_settings_set_client_name(redlock_settings* settings, const char* name);
/** Whom others are told to hold the keys (nobody in particular). */
redlock_status redlock_settings_set_holder_label(redlock_settings* settings, const char* label);
/** User and password for all nodes and Sentinels, in place of those in addresses; a null user is the default
 * one. */
redlock_status redlock_settings_set_credentials(redlock_settings* settings, const char* user,
                                                const char* password);
/** Files in PEM form of authorities to trust, of a certificate of one's own and of its key; null for none. */
redlock_status redlock_settings_set_tls_files(redlock_settings* settings, const char* authorities,
                                              const char* certificate, const char* key);
/** The name that certificates must be made out to, in place of the host's. */
redlock_status redlock_settings_set_tls_server_name(redlock_settings* settings, const char* name);
/** Whether certificates are looked at (1); 0 for tests. */
redlock_status redlock_settings_set_tls_verify(redlock_settings* settings, int verify);
/** Whether servers are told to send the events that waiting is woken by, where they do not (0). */
redlock_status redlock_settings_set_configure_servers(redlock_settings* settings, int configure);
/** One deployment of another engine, of which every lock is taken as well (none): see
 * `redlock::config::backup`. */
redlock_status redlock_settings_set_backup(redlock_settings* settings, const char* address);

/**
 * Checks the settings, starts the client's thread and begins to connect. `*client` is null unless the status
 * is `REDLOCK_OK`: it may be `REDLOCK_INVALID_ADDRESS`, `REDLOCK_DUPLICATE_NODE`, `REDLOCK_INVALID_OPTION`,
 * `REDLOCK_SYSTEM_ERROR`.
 */
redlock_status redlock_open(const redlock_settings* settings, redlock_client** client);
/**
 * Releases all leases, tells the nodes so within the deadline that they have, ends the thread and frees the
 * client. No other call may be in the client meanwhile. Leases are not valid from here on, callbacks for
 * their loss are made, and each still has to be destroyed. Null is fine.
 */
void redlock_close(redlock_client* client);

/** A request to stop that has not been made; null when there is no memory. */
redlock_stop* redlock_stop_create(void);
/** Ends the waits of all calls that were given it, now and later. */
void redlock_stop_request(redlock_stop* stop);
/** No call may be under way that was given it. Null is fine. */
void redlock_stop_destroy(redlock_stop* stop);

/**
 * How a key is taken. Always begin with `redlock_lock_options_init`. Later versions may add members at the
 * end. What each does, and its limits, is in `redlock::lock_options`.
 */
typedef struct redlock_lock_options {
    size_t size;         /**< of this structure, as the program was compiled with it */
    int64_t ttl;         /**< how long the key lives without renewal (10000) */
    int64_t wait;        /**< how long to wait for other holders; 0 not at all (`REDLOCK_FOREVER`) */
    int64_t max_hold;    /**< after which renewal ends (`REDLOCK_FOREVER`) */
    int64_t stop_margin; /**< validity that is left when `lost` is called; -1 for ttl / 10 (-1) */
    int64_t lock_delay;  /**< how much longer the key stays taken after an unclean end (0) */
    int64_t keep;        /**< how long after the grant the key stays taken although it is given back (0) */
    int32_t renew;       /**< whether it is renewed in the background (1) */
    int32_t fencing;     /**< whether it has a fencing token (0) */
    int32_t mode;        /**< a `redlock_mode` (`REDLOCK_EXCLUSIVE`) */
    uint32_t permits;    /**< how many may have the key at once (1) */
    redlock_stop* stop;  /**< ends the wait, not what follows it; null for nothing (null) */
    /**
     * Called once when the lease is lost or its client closed, with `lost_context`; null for nothing (null).
     * It is called by the client's thread, or by the one in `redlock_lock` where the lease is lost by then,
     * and must not block, throw or jump. Calls that wait give `REDLOCK_WOULD_DEADLOCK` in it. Once the lease
     * is given back or destroyed, by another thread, it is not running and will not be called.
     */
    void (*lost)(void* lost_context);
    void* lost_context; /**< what `lost` is called with (null) */
} redlock_lock_options;

/** Sets `size`, which is `sizeof *options`, and the defaults. */
redlock_status redlock_lock_options_init(redlock_lock_options* options, size_t size);

/**
 * Takes a lock. Null `options` are the defaults. `*lease` is null unless the status is `REDLOCK_OK`;
 * otherwise it is given back with `redlock_unlock` or `redlock_lease_destroy`, whether it is lost or not, and
 * whether the client is closed or not.
 */
redlock_status redlock_lock(redlock_client* client, const char* key, const redlock_lock_options* options,
                            redlock_lease** lease);

/** 1 when the right to the key can be relied on now, and 0 otherwise and for null. */
int redlock_valid(const redlock_lease* lease);
/** How much longer it is valid without another renewal; 0 when it is not. */
int64_t redlock_remaining(const redlock_lease* lease);
/** The number to hand to the protected resource, from 1; 0 without `fencing`. */
uint64_t redlock_fencing_token(const redlock_lease* lease);
/** Which of several permits it is, from 0. */
uint32_t redlock_slot(const redlock_lease* lease);
/** Renews now, with a new ttl that later renewals keep. Frees nothing, however it goes. */
redlock_status redlock_extend(redlock_lease* lease, int64_t ttl);
/**
 * Gives the key back, waits until a majority of nodes has heard of it, for as long as a command has, and
 * frees the lease, whatever the status is: `REDLOCK_LEASE_LOST` when it was lost before, `REDLOCK_NO_QUORUM`,
 * `REDLOCK_CLOSED`. For null it is `REDLOCK_INVALID_ARGUMENT`.
 */
redlock_status redlock_unlock(redlock_lease* lease);
/** Gives the key back without waiting, if that was not done, and frees the lease. Null is fine. */
void redlock_lease_destroy(redlock_lease* lease);

#ifdef __cplusplus
}
#endif

#endif
