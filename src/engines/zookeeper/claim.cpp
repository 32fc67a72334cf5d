#include "engines/zookeeper/claim.hpp"

#include "engines/zookeeper/rule/key_folder.hpp"

namespace redlock::zookeeper {

claim::claim(std::string_view prefix, engine::key_name&& key, const core::lock_token& drawn)
    : engine::claim(prefix, std::move(key)), folder_(folder_name(full_key.view())), token_(drawn) {}

} // namespace redlock::zookeeper
