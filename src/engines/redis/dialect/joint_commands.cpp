#include "engines/redis/dialect/joint_commands.hpp"

#include "engines/redis/dialect/script_words.hpp"

#include <array>
#include <string>

namespace redlock::redis {

namespace {

/// The words of a script for so many keys.
class joint_words {
public:
    joint_words(command_form form, std::size_t keys) : keys_(static_cast<std::int64_t>(keys)) {
        const script what = script_of(form);
        const bool known = is_by_hash(form);
        add(known ? "EVALSHA" : "EVAL");
        add(known ? hash_of(what) : text_of(what));
        add(keys_);
    }
    joint_words(const joint_words&) = delete;
    joint_words& operator=(const joint_words&) = delete;

    void add(std::string_view word) noexcept {
        assert(end_ != words_.end());
        *end_++ = word;
    }
    std::span<const std::string_view> all() const noexcept {
        return {words_.data(), static_cast<std::size_t>(end_ - words_.begin())};
    }

private:
    const resp::decimal keys_;
    std::array<std::string_view, 3 + 3 * joint_command::most_keys + 3> words_;
    decltype(words_)::iterator end_ = words_.begin();
};

} // namespace

command_form joint_command::put_script(command_form form, std::string_view last) {
    if (!lacks(form)) return form;
    // Made one after the other in one place, where they have an ending.
    const bool have_labels = !encoder_.ending(false).empty();
    std::array<std::string, most_keys> values;
    joint_words words(form, claims_.size());
    for (const claim* const c : claims_)
        words.add(c->full_key);
    for (std::size_t i = 0; i < claims_.size(); ++i)
        words.add(have_labels ? values[i].assign(encoder_.value_of(*claims_[i])) : claims_[i]->value());
    if (!last.empty()) words.add(last);
    encode(form, words.all());
    return form;
}

command_form joint_command::put_script_with_readers(command_form form, std::string_view last) {
    if (!lacks(form)) return form;
    // They are made one after the other in one place.
    std::array<std::string, most_keys> readers, entries;
    joint_words words(form, 2 * claims_.size());
    for (const claim* const c : claims_)
        words.add(c->full_key);
    for (std::size_t i = 0; i < claims_.size(); ++i) {
        readers[i] = readers_key_of(claims_[i]->full_key);
        words.add(readers[i]);
    }
    for (std::size_t i = 0; i < claims_.size(); ++i)
        words.add(entries[i].assign(encoder_.entry_of(*claims_[i])));
    words.add(last);
    encode(form, words.all());
    return form;
}

command_form joint_advance_command::put_for(const server_dialect& d) {
    const command_form form = d.run(script::advance_several);
    if (!lacks(form)) return form;
    // One behind the other in one piece of memory.
    std::string fences;
    for (const claim* const c : claims_)
        fences.append(c->full_key).append(claim::fence_suffix);
    joint_words words(form, 2 * claims_.size());
    for (const claim* const c : claims_)
        words.add(c->full_key);
    std::size_t at = 0;
    for (const claim* const c : claims_) {
        const std::size_t size = c->full_key.view().size() + claim::fence_suffix.size();
        words.add(std::string_view(fences).substr(at, size));
        at += size;
    }
    for (const claim* const c : claims_)
        words.add(c->token());
    const resp::decimal token(fence_.token);
    const resp::decimal retention(fence_.retention.count());
    words.add(token);
    words.add(retention);
    if (const std::string_view label = encoder_.ending(true); !label.empty()) words.add(label);
    encode(form, words.all());
    return form;
}

command_form joint_read_command::put_for(const server_dialect& d) {
    const resp::decimal life(life_.count());
    return put_script_with_readers(d.run(script::read_several), life);
}

command_form joint_extend_command::put_for(const server_dialect& d) {
    const resp::decimal life(life_.count());
    return put_script(d.run(script::extend_several), life);
}

} // namespace redlock::redis
