#pragma once

// Before anything that an older compiler would complain of in other words.
#if __cplusplus < 202002L
#error "asio-redlock needs C++20: compile with -std=c++20"
#endif
