#include "wasm/opened.h"

#include "wasm/memory.h"

#include <string.h>

/* A size_t has 32 bits in a browser: what does not fit must not look like something small. */
static void *take_many(size_t count, size_t bytes) {
    return count > SIZE_MAX / bytes ? NULL : memory_take(count * bytes);
}

static size_t round_up(size_t bytes) { return (bytes + 15) / 16 * 16; }

/* Starts, actions and a result: as many steps as the file has lines. */
static uint32_t lines_of(const char *text, size_t length, size_t *longest) {
    uint32_t lines = 1;
    size_t line = 0;
    *longest = 0;
    for (size_t i = 0; i < length; i++, line++) {
        if (line > *longest) *longest = line;
        if (text[i] != '\n') continue;
        lines++;
        line = 0;
    }
    return lines;
}

typedef struct reading {
    opened_file *file;
    uint32_t cap;
    size_t stride;
} reading;

static bool keep(void *user, const bw_file_step *step) {
    reading *here = user;
    opened_file *file = here->file;
    if (file->steps == here->cap) return false;
    opened_step *kept = &file->step[file->steps];
    *kept = (opened_step){.line = step->line, .seq = step->seq, .t = step->t, .seat = step->seat};
    kept->at = file->steps * here->stride;
    kept->kind = step->result       ? OPENED_RESULT
                 : step->action     ? OPENED_ACTION
                 : file->steps == 0 ? OPENED_START
                                    : OPENED_RESIGNATION;
    memcpy(file->memory + kept->at, step->match->state, file->game->state_size);
    if (step->action) {
        memcpy(file->memory + kept->at + round_up(file->game->state_size), step->action, file->game->actions->size);
    }
    if (file->steps == 0) {
        memcpy((void *)(uintptr_t)file->config, step->match->config, file->game->config->size);
        file->seats = *step->match->seats;
    }
    file->steps++;
    return true;
}

int opened_read(opened_file *file, const char *text, size_t length, bw_error_text *why) {
    memset(file, 0, sizeof *file);
    int error;
    file->game = bw_file_game(text, length, &error, why);
    if (!file->game) return error;
    const bw_game *game = file->game;
    size_t longest;
    reading ahead = {.file = file, .cap = lines_of(text, length, &longest)};
    ahead.stride = round_up(game->state_size) + round_up(game->actions->size);
    bw_file_reader reader = {.on_step = keep, .user = &ahead};
    file->step = take_many(ahead.cap, sizeof *file->step);
    file->memory = take_many(ahead.cap, ahead.stride);
    file->config = memory_take(game->config->size);
    file->block = memory_take(reader.block_bytes = bw_match_bytes(game));
    reader.block = memory_take(reader.block_bytes);
    reader.token_cap = (int)(longest / 2 + 2);
    reader.tokens = take_many((size_t)reader.token_cap, sizeof *reader.tokens);
    reader.events = take_many(game->max_events, game->events->size);
    reader.events_bytes = (size_t)game->max_events * game->events->size;
    reader.action = memory_take(reader.action_bytes = game->actions->size);
    if (!file->step || !file->memory || !file->config || !file->block || !reader.block || !reader.tokens ||
        !reader.events || !reader.action) {
        file->game = NULL;
        bw_fail(why, "There is not enough memory for this file.", NULL);
        return BW_FILE_BAD_LINE;
    }
    error = bw_file_verify(text, length, &reader);
    *why = reader.error;
    return error;
}

const void *opened_action(const opened_file *file, const opened_step *step) {
    return file->memory + step->at + round_up(file->game->state_size);
}

static void lay(const opened_file *file, bw_match *match) {
    bw_match_attach(match, file->game, file->block);
    memset(file->block, 0, bw_match_bytes(file->game));
    *match->seats = file->seats;
    memcpy(match->config, file->config, file->game->config->size);
}

void opened_block(const opened_file *file, uint32_t index) {
    bw_match match;
    lay(file, &match);
    memcpy(match.state, file->memory + file->step[index].at, file->game->state_size);
}

const opened_step *opened_at(const opened_file *file, uint32_t index, bw_match *match, bw_events *events) {
    const opened_step *step = &file->step[index];
    lay(file, match);
    if (index > 0) {
        memcpy(match->state, file->memory + file->step[index - 1].at, file->game->state_size);
    }
    /* Played again for its events; the position itself was kept. */
    if (step->kind == OPENED_ACTION) {
        bw_match_play(match, step->seat, opened_action(file, step), events);
    } else if (step->kind == OPENED_RESIGNATION) {
        bw_match_resign(match, step->seat, events);
    }
    memcpy(match->state, file->memory + step->at, file->game->state_size);
    return step;
}
