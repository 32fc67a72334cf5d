#include "support/temporary_folder.hpp"

#include "support/system_error.hpp"

#include <cstdlib>
#include <string>

namespace redlock::test {

temporary_folder::temporary_folder() : temporary_folder(std::filesystem::temp_directory_path()) {}

temporary_folder::temporary_folder(const std::filesystem::path& parent) {
    std::string name = (parent / "redlock-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw_errno("mkdtemp " + name);
    path_ = name;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace redlock::test
