#include "engines/etcd/address.hpp"
#include "engines/etcd/messages/cluster.hpp"
#include "engines/etcd/messages/joint_transaction.hpp"
#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/messages/transaction.hpp"
#include "engines/etcd/messages/watches.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using namespace redlock::etcd;

void require(bool holds) {
    if (!holds) std::abort();
}

/// A reply is understood, within the limits, or it is refused with a sentence.
template <class Content>
void read_as(std::string_view bytes) {
    messages::reply<Content> found;
    const messages::fault fault = messages::read(bytes, found);
    require(describe(fault).empty() == (fault == messages::fault::none));
    require(found.header.revision >= 0);
    if constexpr (requires { found.content.life; }) require(found.content.life.count() >= 0);
    if constexpr (requires { found.content.events; })
        require(found.content.events.size() <= messages::most_elements);
    if constexpr (requires { found.content.token; })
        require(found.content.token.size() <= messages::longest_token);
}

/// The answer to a transaction of two parts, of which each can be read as one of its own.
void read_as_parts(std::string_view bytes) {
    std::vector<std::string> found;
    if (messages::read_operations(bytes, 2, found) != messages::fault::none) return require(found.empty());
    require(found.size() == 2);
    for (const std::string& each : found) {
        read_as<messages::transaction_result>(each);
        read_as<messages::delete_result>(each);
    }
}

using read_function = void (*)(std::string_view);
template <class... Contents>
constexpr auto readers_of = std::array<read_function, sizeof...(Contents)>{&read_as<Contents>...};

constexpr auto kinds =
    readers_of<messages::range_result, messages::put_result, messages::delete_result,
               messages::transaction_result, messages::lease_grant_result, messages::lease_revoke_result,
               messages::lease_keep_alive_result, messages::lease_time_to_live_result, messages::watch_result,
               messages::authenticate_result, messages::status_result, messages::member_list_result>;

/// One that is accepted keeps its limits, and its name leads to the same place.
void read_as_address(std::string_view uri) {
    try {
        auto found = parse_address(uri);
        require(!found.endpoints.empty() && found.endpoints.size() <= most_endpoints);
        require(!found.prefix.empty() && found.prefix.size() <= longest_prefix);
        const auto named = parse_address(found.name());
        require(named.name() == found.name());
        found.user.clear();
        found.password.clear();
        require(found == named);
    } catch (const std::system_error&) {
        return;
    }
}

} // namespace

/// Reads the input as an address of a cluster, if it begins as one, or else as the reply that its first byte
/// says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    if (input.starts_with("etcd")) {
        read_as_address(input);
    } else if (!input.empty()) {
        const std::size_t kind = data[0] % (kinds.size() + 1);
        (kind < kinds.size() ? kinds[kind] : &read_as_parts)(input.substr(1));
    }
    return 0;
}
