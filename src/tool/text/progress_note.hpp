#pragma once

#include <chrono>
#include <string_view>

namespace redlock::tool {

/// A line of standard error that says what takes longer than a second, where that is a terminal. It goes away
/// with the object, which must be destroyed before anything else is written.
class progress_note {
public:
    using clock = std::chrono::steady_clock;

    progress_note() noexcept;
    progress_note(const progress_note&) = delete;
    progress_note& operator=(const progress_note&) = delete;
    ~progress_note();

    /// When it is to be drawn next: a second after the beginning, and each second from then on. Never where
    /// nobody sees it.
    clock::time_point due() const noexcept { return due_; }
    /// The text with the seconds that have passed behind it.
    void draw(std::string_view text);

private:
    const clock::time_point begun_ = clock::now();
    clock::time_point due_;
    bool drawn_ = false;
};

} // namespace redlock::tool
