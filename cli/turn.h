/* A turn as sent to a bot that is a program: {"type":"turn","role","state","legal","legal_count","budget_ms"}.
 *
 * `legal` contains every legal action if they take at most TURN_LEGAL_BYTES. Longer lists are sampled evenly, and
 * `legal_parts` summarises all of them: for each action and each of its fields the values that occur, and how many
 * of them a list takes. A field with more than TURN_VALUES_MAX values is left out there. */
#ifndef BW_CLI_TURN_H
#define BW_CLI_TURN_H

#include "engine/json.h"
#include "engine/match.h"

enum { TURN_LEGAL_BYTES = 6144, TURN_VALUES_MAX = 128 };

typedef struct turn {
    const bw_match *match;
    int seat;
    const void *view;
    const unsigned char *legal; /* all legal actions */
    uint32_t legal_count;
    int64_t budget_ms;
} turn;

/* The line, with its newline. May overflow. */
void turn_write(bw_out *out, const turn *t);

#endif
