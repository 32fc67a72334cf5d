#include "chaos/deployment/networks.hpp"

namespace redlock::chaos {

using std::chrono::milliseconds;

networks::networks(const std::vector<std::uint16_t>& server_ports) {
    for (auto& site : ways_)
        for (const std::uint16_t port : server_ports)
            site.emplace_back(port);
}

faults networks::known_faults() {
    faults all;
    const auto add = [&](const char* name, harm kind) {
        all.push_back({name, [this, kind](dice& d, wounds& w) { return harm_one(kind, d, w); }});
    };
    add("black hole", harm::black_hole);
    add("one way", harm::one_way);
    add("frozen", harm::frozen);
    add("slow", harm::slow);
    add("refused", harm::refused);
    all.push_back({"reset", [this](dice& d, wounds&) { return reset_one(d); }});
    if (servers() > 1) all.push_back({"partition", [this](dice& d, wounds& w) { return part_site(d, w); }});
    return all;
}

void networks::inflict(passage& way, harm kind, dice& chance) {
    using test::direction;
    way.passes = false;
    const auto any = chance.one_in(2) ? direction::to_server : direction::to_client;
    switch (kind) {
    case harm::one_way:
        return way.proxy.lose(any);
    case harm::frozen:
        return chance.one_in(2) ? way.proxy.freeze() : way.proxy.freeze(any);
    case harm::slow:
        return way.proxy.delay(milliseconds(1 + chance.below(80)));
    case harm::refused:
        return way.proxy.refuse();
    case harm::black_hole:
        return way.proxy.black_hole();
    }
}

bool networks::harm_one(harm kind, dice& chance, wounds& open) {
    passage& way = ways_[chance.below(site_count)][chance.below(servers())];
    if (!way.passes) return false;
    inflict(way, kind, chance);
    open.add(chance.fault_time(), [&way] {
        way.proxy.pass();
        way.passes = true;
    });
    return true;
}

bool networks::reset_one(dice& chance) {
    passage& way = ways_[chance.below(site_count)][chance.below(servers())];
    if (!way.passes) return false;
    way.proxy.reset_connections();
    return true;
}

bool networks::part_site(dice& chance, wounds& open) {
    auto& site = ways_[chance.below(site_count)];
    const std::size_t count = servers() == 2 ? 2 : 2 + chance.below(servers() - 2);
    const harm kind = chance.one_in(2) ? harm::black_hole : harm::one_way;
    std::vector<passage*> cut;
    for (passage& way : site) {
        if (cut.size() == count) break;
        if (!way.passes || chance.below(servers()) >= count) continue;
        inflict(way, kind, chance);
        cut.push_back(&way);
    }
    if (cut.empty()) return false;
    open.add(chance.fault_time(), [cut] {
        for (passage* const way : cut) {
            way->proxy.pass();
            way->passes = true;
        }
    });
    return true;
}

} // namespace redlock::chaos
