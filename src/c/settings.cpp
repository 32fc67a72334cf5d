#include "c/handles.hpp"
#include "c/status.hpp"

#include <new>
#include <string>
#include <utility>

using redlock::c::given;
using redlock::c::guarded;

namespace {

template <class Change>
redlock_status change(redlock_settings* settings, const Change& how) noexcept {
    return guarded([&] { how(given(settings, "settings")->what); });
}

redlock_status set_text(redlock_settings* settings, std::string redlock::config::*member, const char* text,
                        std::string_view name) noexcept {
    return change(settings, [&](redlock::config& c) { c.*member = given(text, name); });
}

std::string text_or_nothing(const char* text) { return text ? text : ""; }

} // namespace

redlock_settings* redlock_settings_create() { return new (std::nothrow) redlock_settings; }

void redlock_settings_destroy(redlock_settings* settings) { delete settings; }

redlock_status redlock_settings_add_node(redlock_settings* settings, const char* address) {
    return change(settings, [&](redlock::config& c) { c.nodes.emplace_back(given(address, "address")); });
}

redlock_status redlock_settings_set_node_timeout(redlock_settings* settings, int64_t milliseconds) {
    return change(settings,
                  [&](redlock::config& c) { c.node_timeout = std::chrono::milliseconds(milliseconds); });
}

redlock_status redlock_settings_set_restart_guard(redlock_settings* settings, int64_t milliseconds) {
    return change(settings,
                  [&](redlock::config& c) { c.restart_guard = std::chrono::milliseconds(milliseconds); });
}

redlock_status redlock_settings_set_key_prefix(redlock_settings* settings, const char* prefix) {
    return set_text(settings, &redlock::config::key_prefix, prefix, "prefix");
}

redlock_status redlock_settings_set_client_name(redlock_settings* settings, const char* name) {
    return set_text(settings, &redlock::config::client_name, name, "name");
}

redlock_status redlock_settings_set_holder_label(redlock_settings* settings, const char* label) {
    return set_text(settings, &redlock::config::holder_label, label, "label");
}

redlock_status redlock_settings_set_credentials(redlock_settings* settings, const char* user,
                                                const char* password) {
    return change(settings, [&](redlock::config& c) {
        c.credentials = [known = redlock::credentials{text_or_nothing(user), given(password, "password")}](
                            std::string_view) { return known; };
    });
}

redlock_status redlock_settings_set_tls_files(redlock_settings* settings, const char* authorities,
                                              const char* certificate, const char* key) {
    return change(settings, [&](redlock::config& c) {
        std::string ca_file = text_or_nothing(authorities), certificate_file = text_or_nothing(certificate);
        c.tls.key_file = text_or_nothing(key);
        c.tls.ca_file = std::move(ca_file);
        c.tls.certificate_file = std::move(certificate_file);
    });
}

redlock_status redlock_settings_set_tls_server_name(redlock_settings* settings, const char* name) {
    return change(settings, [&](redlock::config& c) { c.tls.server_name = given(name, "name"); });
}

redlock_status redlock_settings_set_tls_verify(redlock_settings* settings, int verify) {
    return change(settings, [&](redlock::config& c) { c.tls.verify = verify != 0; });
}

redlock_status redlock_settings_set_configure_servers(redlock_settings* settings, int configure) {
    return change(settings, [&](redlock::config& c) { c.configure_servers = configure != 0; });
}

redlock_status redlock_settings_set_backup(redlock_settings* settings, const char* address) {
    return set_text(settings, &redlock::config::backup, address, "address");
}

redlock_status redlock_open(const redlock_settings* settings, redlock_client** client) {
    return guarded([&] {
        *given(client, "client") = nullptr;
        *client = new redlock_client{redlock::blocking::client(given(settings, "settings")->what)};
    });
}

void redlock_close(redlock_client* client) { delete client; }
