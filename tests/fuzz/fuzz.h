/* The function that libFuzzer calls. Without libFuzzer, fuzz_main.c calls it with the corpus and random mutations of
 * it, so that every build runs these tests. */
#ifndef BW_FUZZ_H
#define BW_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
