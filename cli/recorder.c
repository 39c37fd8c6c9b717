#include "cli/recorder.h"

#include "engine/sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 1 << 16 }; /* longer than any line of any game */

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

static bool cannot(const char *path, const char *why) {
    return cli_wrong("%s cannot be written: %s.", path, why), false;
}

bool recorder_can_save(const char *path) {
    struct stat there;
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) return cannot(path, "it is a folder");
        return access(path, W_OK) == 0 || cannot(path, strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    char folder[4096];
    if (!*path || (slash && !slash[1])) return cannot(path, "there is no file name");
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + (slash == path)) : 1, slash ? path : ".");
    if (stat(folder, &there) != 0) return cannot(path, "its folder does not exist");
    return access(folder, W_OK | X_OK) == 0 || cannot(path, strerror(errno));
}

bool recorder_folder(const char *path) {
    char part[4096];
    struct stat there;
    if (strlen(path) >= sizeof part) return cannot(path, "the name is too long");
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] && path[i] != '/') continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return cannot(path, strerror(errno));
    }
    if (stat(path, &there) != 0) return cannot(path, strerror(errno));
    if (!S_ISDIR(there.st_mode)) return cannot(path, "it is not a folder");
    return access(path, W_OK | X_OK) == 0 || cannot(path, strerror(errno));
}

void recorder_free(recorder *r) { free(r->out.at); }
