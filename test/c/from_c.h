#ifndef REDLOCK_TEST_FROM_C_H
#define REDLOCK_TEST_FROM_C_H

#ifdef __cplusplus
extern "C" {
#endif

/** Takes and gives back a key as a program in C does. Returns null, or what went wrong. */
const char* lock_from_c(const char* node);

#ifdef __cplusplus
}
#endif

#endif
