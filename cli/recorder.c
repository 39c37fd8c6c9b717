#include "cli/recorder.h"

#include "engine/sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 16 }; /* no line of any game comes near */

static void room(recorder *r) {
    if (r->out.cap - r->out.length >= LINE_BYTES) return;
    r->out.cap = r->out.cap * 2 + LINE_BYTES;
    r->out.at = cli_more(r->out.at, r->out.cap);
}

void recorder_start(recorder *r, const bw_match *match, const char *const *names, const char *const *bots,
                    int64_t started_at) {
    memset(r, 0, sizeof *r);
    room(r);
    memcpy(r->seed, match->seed, sizeof r->seed);
    r->head =
        (bw_file_head){.game = match->game, .config = match->config, .seats = *match->seats, .started_at = started_at};
    bw_sha256_of(r->seed, sizeof r->seed, r->head.seed_hash);
    for (int seat = 0; seat < BW_SEATS_MAX; seat++) {
        r->head.names[seat] = names ? names[seat] : NULL;
        r->head.bots[seat] = bots ? bots[seat] : NULL;
    }
    bw_file_write_head(&r->out, &r->head, r->seed, &r->chain);
    bw_out_text(&r->out, "\n");
}

void recorder_add(recorder *r, const bw_match *match, int64_t t, int seat, const void *action) {
    room(r);
    bw_file_write_action(&r->out, &r->chain, match, ++r->seq, t, seat, action);
    bw_out_text(&r->out, "\n");
}

void recorder_finish(recorder *r, const bw_match *match, int64_t ended_at) {
    room(r);
    bw_file_write_result(&r->out, &r->chain, match, ended_at);
    bw_out_text(&r->out, "\n");
}

bool recorder_save(recorder *r, const char *path) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(r->out.at, 1, r->out.length, file) == r->out.length;
    if (file && fclose(file) != 0) good = false;
    if (!good) cli_failed("%s cannot be written: %s.", path, strerror(errno));
    return good;
}

void recorder_free(recorder *r) { free(r->out.at); }
