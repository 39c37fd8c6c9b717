#include "cli/solve_answers.h"

#include "engine/sha256.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

BW_SCHEMA(answer_line, ANSWER_FIELDS, "The solution of a Flood-It board.");

static uint64_t hash_of(const board_read *r) {
    const bw_flood_board *b = &r->board;
    uint8_t digest[32], head[4] = {b->rows, b->cols, b->origin_row, b->origin_col};
    char cells[BW_FLOOD_CELLS_MAX];
    bw_sha256 sha;
    size_t count = (size_t)b->rows * b->cols;
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) cells[i] = r->palette[b->cells[i]];
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, head, sizeof head);
    bw_sha256_update(&sha, cells, count);
    bw_sha256_final(&sha, digest);
    for (int i = 0; i < 8; i++) hash = hash << 8 | digest[i];
    return hash ? hash : 1;
}

static answer *slot_of(const answers *a, uint64_t board) {
    size_t at = (size_t)board & (a->slots - 1);
    while (a->table[at].board && a->table[at].board != board) at = (at + 1) & (a->slots - 1);
    return &a->table[at];
}

static void grow(answers *a) {
    answers larger = {.slots = a->slots ? 2 * a->slots : 1024};
    larger.table = cli_memory(larger.slots * sizeof *larger.table);
    for (size_t i = 0; i < a->slots; i++) {
        if (a->table[i].board) *slot_of(&larger, a->table[i].board) = a->table[i];
    }
    free(a->table);
    a->table = larger.table;
    a->slots = larger.slots;
}

static bool enter(void *user, const void *record, bw_error_text *why) {
    answers *a = user;
    const answer_line *r = record;
    char *end;
    uint64_t board = strtoull(r->board, &end, 16);
    if (*end || !board) return bw_fail(why, "board is no hash of 16 hexadecimal digits", NULL);
    if (r->lower > r->moves || strlen(r->sequence) != r->moves) {
        return bw_fail(why, "moves is not the length of sequence, or is less than lower", NULL);
    }
    if (2 * (a->count + 1) > a->slots) grow(a);
    answer *to = slot_of(a, board);
    if (!to->board) a->count++;
    free(to->sequence);
    *to = (answer){.board = board,
                   .positions = r->positions,
                   .microseconds = r->microseconds,
                   .sequence = cli_memory((size_t)r->moves + 1),
                   .mebibytes = r->mebibytes,
                   .moves = r->moves,
                   .lower = r->lower,
                   .stopped = r->stopped};
    memcpy(to->sequence, r->sequence, r->moves);
    return true;
}

bool answers_open(answers *a, const char *path) {
    *a = (answers){0};
    return results_open(&a->file, path, &answer_line_schema, enter, a);
}

const answer *answers_find(const answers *a, const board_read *board) {
    if (!a->count) return NULL;
    const answer *found = slot_of(a, hash_of(board));
    return found->board ? found : NULL;
}

void answers_add(answers *a, const board_read *board, const bw_flood_solution *solution, double seconds,
                 uint32_t mebibytes) {
    answer_line r = {.moves = (uint16_t)solution->count,
                     .lower = (uint16_t)solution->lower,
                     .stopped = solution->stopped,
                     .mebibytes = mebibytes,
                     .positions = solution->nodes,
                     .microseconds = (uint64_t)(seconds * 1e6 + 0.5)};
    if (!a->file.file) return;
    snprintf(r.board, sizeof r.board, "%016" PRIx64, hash_of(board));
    for (uint32_t i = 0; i < solution->count; i++) r.sequence[i] = board->palette[solution->moves[i]];
    results_add(&a->file, &r);
}

bool answers_close(answers *a) {
    for (size_t i = 0; i < a->slots; i++) free(a->table[i].sequence);
    free(a->table);
    a->table = NULL;
    return results_close(&a->file);
}
