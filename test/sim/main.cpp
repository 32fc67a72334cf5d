#include "sim/world.hpp"
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
using namespace redlock::sim;
int main(int argc, char** argv) {
    std::uint64_t from = 1, n = 10; bool tr=false;
    for (int i=1;i<argc;++i) { if(!strcmp(argv[i],"--seeds")) n=strtoull(argv[++i],0,0); else if(!strcmp(argv[i],"--seed")) {from=strtoull(argv[++i],0,0);n=1;} else if(!strcmp(argv[i],"--from")) from=strtoull(argv[++i],0,0); else if(!strcmp(argv[i],"--trace")) tr=true; }
    std::uint64_t steps=0, grants=0, bad=0;
    for (auto s=from; s<from+n; ++s) {
        world w(s, tr?stdout:nullptr);
        auto o=w.run();
        steps+=o.steps; grants+=o.grants;
        if(!o.breaches.empty()) { ++bad; fmt::print("seed {}: {}\n", s, o.breaches[0]); fflush(stdout);}
 if(getenv("V")) fmt::print(stderr,"{} {}\n",s,o.steps);
    }
    fmt::print("steps {} grants {} bad {}\n", steps, grants, bad);
}
