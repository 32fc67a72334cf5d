#include "engines/etcd_lock_service.hpp"

#include "engines/etcd/messages/field_writer.hpp"
#include "engines/etcd/messages/leases.hpp"
#include "etcd_line/line_loop.hpp"
#include "interruption.hpp"

#include <functional>
#include <memory>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bench::engines {
namespace {

namespace etcd = redlock::etcd;
namespace messages = redlock::etcd::messages;

constexpr etcd::method lock_method{"/v3lockpb.Lock/Lock"};
constexpr etcd::method unlock_method{"/v3lockpb.Lock/Unlock"};
constexpr std::chrono::seconds life_of_lease{120};
constexpr std::chrono::seconds patience{30};

std::string lock_request(const std::string& name, messages::lease_id lease) {
    std::string text;
    messages::field_writer to(text);
    to.bytes(1, name);
    to.number(2, lease);
    return text;
}

std::string unlock_request(const std::string& key) {
    std::string text;
    messages::field_writer to(text);
    to.bytes(1, key);
    return text;
}

/// What the lock service calls the lock that was taken; empty for an answer that is none.
std::string key_in(std::string_view response) {
    try {
        protozero::pbf_reader message(response.data(), response.size());
        if (message.next(2)) return message.get_string();
    } catch (const protozero::exception&) {
        return {};
    }
    return {};
}

/// A call whose end is told: its response, or why there is none.
class service_call final : public etcd::call {
public:
    using ending = std::function<void(std::string_view, const etcd::failure*)>;
    service_call(const etcd::method& m, const std::string& request, ending told)
        : call(m, request, patience), told_(std::move(told)) {}

private:
    void answered(std::string_view response, redlock::core::instant) noexcept override {
        const std::unique_ptr<service_call> own(this);
        told_(response, nullptr);
    }
    void failed(const etcd::failure& why) noexcept override {
        const std::unique_ptr<service_call> own(this);
        told_({}, &why);
    }

    const ending told_;
};

class service_loop {
public:
    service_loop(std::uint16_t port, const load& plan)
        : plan_(plan),
          record_(plan),
          loop_({.endpoints = {{.host = "127.0.0.1", .port = port}}, .patience = patience}) {}

    sample run() {
        if (!loop_.serves()) throw std::runtime_error("etcd is not to be connected to");
        get_lease();
        running_ = plan_.in_flight;
        loop_.turn([this] {
            for (std::size_t i = 0; i < plan_.in_flight; ++i)
                lock("service:" + std::to_string(i));
        });
        run_until([this] { return running_ == 0; });
        return record_.result();
    }

private:
    template <class Reached>
    void run_until(Reached reached) {
        const bool came = loop_.run_until(plan_.warm_up + plan_.duration + patience, reached);
        over_ = over_ || !came;
        throw_if_interrupted();
        if (!came) throw std::runtime_error("etcd's lock service does not come to an end");
    }

    void submit(const etcd::method& m, const std::string& request, service_call::ending told) {
        loop_.line().submit(*new service_call(m, request, std::move(told)));
    }

    void get_lease() {
        std::string request;
        append(request, messages::lease_grant_request{.life = life_of_lease});
        loop_.turn([&] {
            submit(etcd::methods::lease_grant, request,
                   [this](std::string_view response, const etcd::failure* why) {
                       messages::reply<messages::lease_grant_result> granted;
                       if (!why && read(response, granted) == messages::fault::none)
                           lease_ = granted.content.id;
                       is_asked_ = true;
                   });
        });
        run_until([this] { return is_asked_; });
        if (lease_ == 0) throw std::runtime_error("etcd grants no lease");
    }

    void lock(const std::string& name) {
        const auto began = steady::now();
        submit(lock_method, lock_request(name, lease_),
               [this, name, began](std::string_view response, const etcd::failure* why) {
                   const std::string key = why ? std::string() : key_in(response);
                   if (key.empty()) return ended(name, began, why ? why->text : "no key in the answer");
                   unlock(name, key, began);
               });
    }

    void unlock(const std::string& name, const std::string& key, steady::time_point began) {
        submit(unlock_method, unlock_request(key),
               [this, name, began](std::string_view, const etcd::failure* why) {
                   ended(name, began, why ? why->text : std::string());
               });
    }

    void ended(const std::string& name, steady::time_point began, const std::string& why) {
        const auto now = steady::now();
        if (!(why.empty() ? record_.add(began, now) : record_.fail(now, why))) over_ = true;
        if (over_)
            --running_;
        else
            lock(name);
    }

    const load plan_;
    recorder record_;
    messages::lease_id lease_ = 0;
    bool is_asked_ = false;
    std::size_t running_ = 0;
    bool over_ = false;
    redlock::test::line_loop loop_; // which tells the calls that are under way when it ends
};

} // namespace

sample run_lock_service(std::uint16_t port, const load& plan) {
    service_loop all(port, plan);
    return all.run();
}

} // namespace bench::engines
