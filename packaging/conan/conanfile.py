"""Recipe for Conan 2. It lies in the repository that it builds: conan create packaging/conan"""

import re
from os.path import join

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class RedlockRecipe(ConanFile):
    name = "redlock"
    description = "Distributed locks on a majority of Redis nodes, for C++20 and Boost.Asio"
    license = "BSL-1.0"
    topics = ("redis", "redlock", "distributed-lock", "asio", "coroutines")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    @property
    def _repository(self):
        return join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, join(self._repository, "include", "redlock", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define REDLOCK_VERSION_\w+ (\d+)$", header, re.MULTILINE))

    def export_sources(self):
        files = ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "docs/Doxyfile.in", "include/*", "src/*", "packaging/*")
        for pattern in files:
            copy(self, pattern, self._repository, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.81 <2]", transitive_headers=True)
        self.requires("fmt/[>=9]")
        self.requires("libnghttp2/[>=1.40 <2]")
        self.requires("mariadb-connector-c/[>=3.1 <4]")
        self.requires("libpq/[>=14 <18]")
        self.requires("openssl/[>=3 <4]")

    def build_requirements(self):
        # Headers alone, of which nothing is left in the package.
        self.test_requires("protozero/[>=1.7 <2]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("redlock needs Linux")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "BUILD_TOOL", "PCH"):
            toolchain.cache_variables[f"REDLOCK_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, join(self.package_folder, "licenses"))
        # Conan writes its own of these.
        for folder in ("cmake", "pkgconfig"):
            rmdir(self, join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.libs = ["redlock"]
        self.cpp_info.requires = [
            "boost::headers", "boost::url", "fmt::fmt", "libnghttp2::nghttp2", "libpq::pq", "mariadb-connector-c::mariadb-connector-c",
            "openssl::ssl", "openssl::crypto"
        ]
        self.cpp_info.system_libs = ["pthread"]
        self.cpp_info.set_property("cmake_file_name", "redlock")
        self.cpp_info.set_property("cmake_target_name", "redlock::redlock")
        self.cpp_info.set_property("pkg_config_name", "redlock")
