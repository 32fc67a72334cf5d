"""Checks the recipes of vcpkg and Conan as far as that goes without either: their form, that versions agree, and that
what they do can be done. The functions of vcpkg and the classes of Conan are stood in for by plain ones.

    recipes.py <repository> <build of the library> <folder to work in> <generator>
"""

import fnmatch
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

repository, built, work, generator = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
header = (repository / "include/redlock/version.hpp").read_text()
version = ".".join(re.findall(r"^#define REDLOCK_VERSION_\w+ (\d+)$", header, re.MULTILINE))


def cmake(*arguments):
    """Runs cmake; a warning, such as one of an option that nobody knows, is a failure."""
    done = subprocess.run(["cmake", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def check_vcpkg():
    manifest = json.loads((repository / "packaging/vcpkg/ports/redlock/vcpkg.json").read_text())
    known = {"name", "version", "description", "license", "supports", "dependencies"}
    assert set(manifest) <= known, set(manifest) - known
    assert manifest["version"] == version, manifest["version"]
    for dependency in manifest["dependencies"]:
        fields = {"name": dependency} if isinstance(dependency, str) else dependency
        assert set(fields) <= {"name", "version>=", "host"}, fields
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"]), fields
    cmake(f"-DREDLOCK={repository}", f"-DBUILT={built}", f"-DWORK={work / 'vcpkg'}", f"-DGENERATOR={generator}",
          "-P", repository / "test/package/vcpkg.cmake")


class Information:
    def __init__(self):
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class Recipe:
    def __init__(self, folder):
        self.recipe_folder = str(repository / "packaging/conan")
        self.source_folder = self.export_sources_folder = str(folder / "source")
        self.build_folder = str(folder / "build")
        self.package_folder = str(folder / "package")
        self.settings = types.SimpleNamespace(os="Linux")
        self.required = []
        self.cpp_info = Information()
        self.cache_variables = {}

    def requires(self, reference, **traits):
        self.required.append(reference)

    def test_requires(self, reference):
        assert re.fullmatch(r"[a-z0-9_]+/\[[^\]]+\]", reference), reference


class Toolchain:
    def __init__(self, recipe):
        self.cache_variables = recipe.cache_variables

    def generate(self):
        pass


class Build:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        options = [f"-D{name}={'ON' if value else 'OFF'}" for name, value in self.recipe.cache_variables.items()]
        cmake("-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-G", generator, *options)

    def build(self):
        pass

    def install(self):
        cmake("--install", built, "--component", "development", "--prefix", self.recipe.package_folder)


def copy(recipe, pattern, source, target):
    files = [file for file in Path(source).rglob("*") if file.is_file()]
    chosen = [file for file in files if fnmatch.fnmatch(str(file.relative_to(source)), pattern)]
    assert chosen, f"nothing is {pattern}"
    for file in chosen:
        place = Path(target) / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)


def stand_in_for_conan():
    def module(name, **members):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)

    module("conan", ConanFile=Recipe)
    module("conan.errors", ConanInvalidConfiguration=ValueError)
    module("conan.tools")
    module("conan.tools.build", check_min_cppstd=lambda recipe, standard: None, can_run=lambda recipe: True)
    module("conan.tools.cmake", CMake=Build, CMakeDeps=Toolchain, CMakeToolchain=Toolchain, cmake_layout=lambda recipe: None)
    module("conan.tools.files", copy=copy, load=lambda recipe, path: Path(path).read_text(),
           rmdir=lambda recipe, path: shutil.rmtree(path, ignore_errors=True))


def load(file):
    spec = importlib.util.spec_from_file_location(file.parent.name, file)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def check_conan():
    sys.dont_write_bytecode = True
    stand_in_for_conan()
    folder = work / "conan"
    shutil.rmtree(folder, ignore_errors=True)
    recipe = load(repository / "packaging/conan/conanfile.py").RedlockRecipe(folder)
    recipe.set_version()
    assert recipe.version == version, recipe.version
    recipe.export_sources()
    recipe.layout()
    recipe.requirements()
    recipe.build_requirements()
    recipe.validate()
    recipe.generate()
    recipe.build()
    targets = next(built.rglob("redlockTargets.cmake")).read_text()
    recipe.package()
    recipe.package_info()

    package = Path(recipe.package_folder)
    for library in recipe.cpp_info.libs:
        assert list(package.glob(f"lib/lib{library}.*")), f"the package has no library {library}"
    assert (package / "licenses/LICENSE").exists() and (package / "include/redlock/redlock.hpp").exists()
    assert not list(package.rglob("*.cmake")) and not list(package.rglob("*.pc")), "Conan writes these"
    assert recipe.cpp_info.properties["cmake_file_name"] == "redlock"
    assert f"add_library({recipe.cpp_info.properties['cmake_target_name']} " in targets
    assert recipe.cpp_info.properties["pkg_config_name"] + ".pc" == "redlock.pc"
    asked = {reference.split("/")[0] for reference in recipe.required}
    assert {part.split("::")[0] for part in recipe.cpp_info.requires} == asked, recipe.cpp_info.requires

    load(repository / "packaging/conan/test_package/conanfile.py")


check_vcpkg()
check_conan()
