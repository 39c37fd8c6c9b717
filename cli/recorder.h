/* Writes a game file as a game is played in the terminal or the arena. */
#ifndef BW_CLI_RECORDER_H
#define BW_CLI_RECORDER_H

#include "cli/cli.h"
#include "engine/file.h"

typedef struct recorder {
    bw_out out; /* the lines so far */
    bw_chain chain;
    bw_file_head head;
    uint8_t seed[32];
    uint32_t seq;
} recorder;

/* `names` and `bots` by seat; entries may be NULL; they must outlive the recorder. */
void recorder_start(recorder *r, const bw_match *match, const char *const *names, const char *const *bots,
                    int64_t started_at);
/* Adds what was just played on the match; `action` NULL: a resignation. t in ms since the start. */
void recorder_add(recorder *r, const bw_match *match, int64_t t, int seat, const void *action);
void recorder_finish(recorder *r, const bw_match *match, int64_t ended_at);
/* Writes the complete file, including the seed. False after an error message. */
bool recorder_save(recorder *r, const char *path);
/* Before a game: can the file be written when it is over? The second function also creates the folder. False after
 * an error message. */
bool recorder_can_save(const char *path);
bool recorder_folder(const char *path);
void recorder_free(recorder *r);

#endif
