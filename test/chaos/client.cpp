// One of the clients of the chaos.
//   redlock_chaos_client HISTORY NUMBER CLIENTS HOLDS SEED TERMS... NODE-URI...

#include "chaos/client_process.hpp"

#include <iostream>

int main(int count, char** arguments) {
    using namespace redlock::chaos;
    const std::vector<std::string> words(arguments + 1, arguments + count);
    constexpr std::size_t first_term = 5;
    try {
        const auto number = std::stoul(words.at(1));
        history log(words.at(0), std::stoul(words.at(2)), std::stoul(words.at(3)));
        client_process process(log, number, static_cast<unsigned>(std::stoul(words.at(4))),
                               client_terms::from(words, first_term),
                               {words.begin() + first_term + client_terms::size, words.end()});
        process.run();
    } catch (const std::exception& e) {
        std::cerr << "client " << words.at(1) << ": " << e.what() << std::endl;
        return 1;
    }
}
