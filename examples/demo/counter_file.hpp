#pragma once

#include <cstdint>
#include <filesystem>

namespace demo {

/// A number in a file, for many processes to read and write with nothing but a lock between them.
class counter_file {
public:
    explicit counter_file(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Throws `std::runtime_error` naming the file when it does not hold a number.
    std::uint64_t read() const;
    /// Throws `std::runtime_error` naming the file when it cannot be written.
    void write(std::uint64_t number) const;

private:
    std::filesystem::path path_;
};

} // namespace demo
