#pragma once

#include <filesystem>

namespace redlock::test {

/// A new empty folder that is removed, with all that is in it, when the object is destroyed.
class temporary_folder {
public:
    /// Throws `std::system_error` when the folder cannot be made.
    temporary_folder();
    /// In that one, not where the system has its temporary files.
    explicit temporary_folder(const std::filesystem::path& parent);
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder();

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace redlock::test
