#include "nodes/node_options.hpp"

#include "nodes/configuration_file.hpp"
#include "nodes/node_list.hpp"
#include "nodes/tls_words.hpp"

#include <cstdlib>

namespace redlock::tool {

using std::chrono::milliseconds;

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

} // namespace

std::vector<option> options_of(node_options& target) {
    std::vector<option> all{
        {.names = "-n,--node",
         .value = "ADDRESS",
         .help = "A node: redis://[[user]:password@]host[:port][/database], rediss:// for TLS, "
                 "redis+sentinel://host[,host...]/group, redis+cluster://host[,host...], "
                 "unix:///path[?db=N], or a postgresql://, mysql:// or etcd://host[,host...] alone; once for "
                 "each "
                 "node. Without it, the nodes are those in "
                 "$REDLOCK_NODES, else in the configuration file",
         .set = into(target.nodes),
         .repeated = true},
        {.names = "--backup",
         .value = "ADDRESS",
         .help = "Take every lock from this as well: one deployment of another kind than the nodes, such as "
                 "postgresql://[user[:password]@]host[/database]. All who want a lock must name the same. "
                 "Without it, what $REDLOCK_BACKUP names, else the configuration file",
         .set = into(target.backup)},
        {.names = "--config",
         .value = "FILE",
         .help =
             "The configuration file; default $XDG_CONFIG_HOME/redlock/config, else /etc/redlock.conf, where "
             "they exist",
         .set = into(target.file)},
        {.names = "--node-timeout",
         .value = "TIME",
         .help = "How long one node may take to answer, the first time with connecting and logging in; "
                 "default 500ms",
         .set = into(target.node_timeout, milliseconds(1), std::chrono::minutes(1))},
        {.names = "--key-prefix",
         .value = "TEXT",
         .help = "Put before every key; default nothing",
         .set = into(target.key_prefix)},
        {.names = "--user",
         .value = "NAME",
         .help = "Whom to log in as; default $REDLOCK_USER, else what the address says",
         .set = into(target.login.user)},
        {.names = "--password-file",
         .value = "FILE",
         .help =
             "A file whose first line is the password, and that nobody else may read; it is read for each "
             "connection. Without it, the password is in the file that $REDLOCK_PASSWORD_FILE names, else in "
             "$REDLOCK_PASSWORD, else in the address, where ps(1) shows it to all if it is an argument",
         .set = into(target.login.password_file)},
    };
    for (const tls_word& w : tls_words())
        all.push_back(
            {.names = w.option, .value = w.value, .help = w.help, .set = into(target.tls.*w.field)});
    all.push_back({.names = "--insecure",
                   .help = "Take whatever certificate a rediss:// node shows, so that nobody knows who it is",
                   .set = into(target.insecure)});
    return all;
}

config configuration_of(const node_options& given) {
    config settings = read_configuration(given.file);
    if (auto nodes = split_nodes(variable("REDLOCK_NODES")); !nodes.empty())
        settings.nodes = std::move(nodes);
    if (!given.nodes.empty()) settings.nodes = given.nodes;
    if (const std::string backup = variable("REDLOCK_BACKUP"); !backup.empty()) settings.backup = backup;
    if (given.backup) settings.backup = *given.backup;
    if (given.node_timeout) settings.node_timeout = *given.node_timeout;
    if (given.key_prefix) settings.key_prefix = *given.key_prefix;
    settings.credentials = login_of(given.login);
    for (const tls_word& w : tls_words())
        for (const std::string& said : {variable(w.variable), given.tls.*w.field})
            if (!said.empty()) settings.tls.*w.field = said;
    if (given.insecure) settings.tls.verify = false;
    if (settings.nodes.empty())
        throw usage_error("no nodes: name them with --node, in REDLOCK_NODES or in the configuration file");
    return settings;
}

} // namespace redlock::tool
