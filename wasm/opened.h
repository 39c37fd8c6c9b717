/* A game file, replayed once, with the position after each of its steps kept to look at. */
#ifndef BW_WASM_OPENED_H
#define BW_WASM_OPENED_H

#include "engine/file.h"

typedef enum opened_kind { OPENED_START, OPENED_ACTION, OPENED_RESIGNATION, OPENED_RESULT } opened_kind;

typedef struct opened_step {
    uint32_t line, seq;
    int64_t t;
    int32_t seat;
    opened_kind kind;
    size_t at; /* of state and action in opened_file.memory */
} opened_step;

typedef struct opened_file {
    const bw_game *game; /* NULL: the first line is of no game that is known */
    uint32_t seats;      /* bit set of those that play */
    uint32_t steps;
    opened_step *step;
    unsigned char *memory; /* a state and an action for each step */
    const void *config;
    void *block; /* a match to look through */
} opened_file;

/* 0, or a bw_file_error with an error text; the steps before the fault are kept. Takes memory (memory.h). */
int opened_read(opened_file *file, const char *text, size_t length, bw_error_text *why);
/* The step, with the position behind it in `match` and what happened in `events`; NULL: no memory. */
const opened_step *opened_at(const opened_file *file, uint32_t index, bw_match *match, bw_events *events);
/* Lays the position behind a step into file->block. */
void opened_block(const opened_file *file, uint32_t index);
const void *opened_action(const opened_file *file, const opened_step *step);

#endif
