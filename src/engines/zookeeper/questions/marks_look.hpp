#pragma once

#include "engines/zookeeper/rule/key_folder.hpp"
#include "engines/zookeeper/session/session.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace redlock::zookeeper {

/// Reads what stands in marks of readers, some at once.
class marks_look {
public:
    struct seen_mark {
        reader_mark mark;
        std::uint64_t fence = 0;
        std::string label{};
    };
    /// In a turn, with those that are there still. The look may be destroyed there.
    using handler = std::function<void(errc why, const std::vector<seen_mark>& seen)>;

    /// May tell at once, where there are none.
    void begin(session& over, std::string folder, std::vector<reader_mark> marks, handler told);

private:
    void ask();
    void take(std::size_t which, std::size_t at, const reply& r);
    void tell();

    session* session_ = nullptr;
    std::string folder_;
    std::vector<reader_mark> marks_;
    handler told_;
    std::vector<seen_mark> seen_;
    errc why_{};
    std::size_t next_ = 0, open_ = 0;
    std::deque<awaited_call> calls_;
};

} // namespace redlock::zookeeper
