/* fuzz_main FOLDER MUTATIONS: runs every file of a corpus, and this many mutations of each. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/any_game.h"

enum { SEED = 7, GROWTH = 64 };

static void mutate(bw_fast *fast, uint8_t *bytes, size_t *length) {
    static const char pieces[] = "{}[]\",:0123456789-e.\\ntfu";
    for (uint32_t n = 1 + bw_fast_below(fast, 4); n > 0 && *length > 1; n--) {
        size_t at = bw_fast_below(fast, (uint32_t)*length);
        uint8_t byte = bw_fast_below(fast, 2) ? (uint8_t)pieces[bw_fast_below(fast, sizeof pieces - 1)]
                                              : (uint8_t)bw_fast_next(fast);
        switch (bw_fast_below(fast, 3)) {
        case 0: bytes[at] = byte; break;
        case 1:
            memmove(bytes + at, bytes + at + 1, *length - at - 1);
            (*length)--;
            break;
        default: {
            size_t from = bw_fast_below(fast, (uint32_t)*length), count = *length - from;
            count = count > *length - at ? *length - at : count;
            memmove(bytes + at, bytes + from, count > 12 ? 12 : count);
            break;
        }
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: fuzz_main FOLDER MUTATIONS\n", stderr);
        return 2;
    }
    long mutations = strtol(argv[2], NULL, 10), runs = 0;
    bw_fast fast = {SEED};
    DIR *dir = opendir(argv[1]);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[1400];
        size_t length;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        char *text = entry->d_name[0] == '.' ? NULL : bw_any_read_file(path, &length);
        uint8_t *copy = text ? malloc(length + GROWTH) : NULL;
        if (!copy) {
            free(text);
            continue;
        }
        LLVMFuzzerTestOneInput((uint8_t *)text, length);
        for (long n = 0; n < mutations; n++, runs++) {
            size_t mutated = length;
            memcpy(copy, text, length);
            mutate(&fast, copy, &mutated);
            LLVMFuzzerTestOneInput(copy, mutated);
        }
        free(copy);
        free(text);
    }
    if (dir) closedir(dir);
    printf("seed %d, %ld runs\n", SEED, runs);
    return runs > 0 ? 0 : 1;
}
