/* Shared by the tests of Flag War: positions made by hand, and the events of a round as one line of text. */
#ifndef BW_FLAG_WAR_TEST_HELP_H
#define BW_FLAG_WAR_TEST_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "games/flag_war/flag_war.h"
#include "tests/support/unit.h"

enum { B1 = BW_WAR_BLUE_1, B2, B3, B4, R1 = BW_WAR_RED_1, R2, R3, R4 };

typedef struct field {
    bw_war_state state;
    bw_war_orders orders;
    bw_war_event events[BW_WAR_EVENTS];
    char log[4096]; /* of the last round played */
} field;

static inline void field_open(field *f, const bw_war_config *config) {
    memset(f, 0, sizeof *f);
    bw_war_init(&f->state, config ? config : bw_flag_war.defaults);
    bw_war_orders_clear(&f->orders);
}

static inline void put(field *f, int piece, int x, int y) {
    f->state.square[piece] = bw_war_square(x, y);
    f->state.jailed = (uint16_t)(f->state.jailed & ~(1u << piece));
}

static inline void jail(field *f, int piece) {
    f->state.square[piece] = BW_WAR_NOWHERE;
    f->state.jailed = (uint16_t)(f->state.jailed | 1u << piece);
}

static inline void carry(field *f, int piece) { f->state.carrier[1 - bw_war_team_of(piece)] = (uint8_t)(piece + 1); }
static inline void order(field *f, int piece, int x, int y) { f->orders.to[piece] = bw_war_square(x, y); }

static inline void write_event(char *text, size_t cap, const bw_war_event *e) {
    const char *name = bw_war_event_union.cases[e->type].name;
    switch ((bw_war_event_type)e->type) {
    case BW_WAR_MOVED:
        snprintf(text, cap, "%s %s %d,%d", name, bw_war_piece_id(e->as.moved.piece), e->as.moved.to.x,
                 e->as.moved.to.y);
        break;
    case BW_WAR_VOIDED: snprintf(text, cap, "%s %s", name, bw_war_piece_id(e->as.voided.piece)); break;
    case BW_WAR_SKIPPED:
        snprintf(text, cap, "%s %s %s", name, bw_war_piece_id(e->as.skipped.piece),
                 bw_war_skip_names.names[e->as.skipped.reason]);
        break;
    case BW_WAR_JAILED:
        snprintf(text, cap, "%s %s %d,%d", name, bw_war_piece_id(e->as.jailed.piece), e->as.jailed.at.x,
                 e->as.jailed.at.y);
        break;
    case BW_WAR_RETURNED:
        snprintf(text, cap, "%s %s %s", name, bw_war_piece_id(e->as.returned.piece),
                 bw_war_return_names.names[e->as.returned.reason]);
        break;
    case BW_WAR_FLAG_TAKEN:
    case BW_WAR_FLAG_RETURNED:
        snprintf(text, cap, "%s %s %s", name, bw_war_team_names.names[e->as.flag_taken.team],
                 bw_war_piece_id(e->as.flag_taken.piece));
        break;
    case BW_WAR_SCORED: snprintf(text, cap, "%s %s", name, bw_war_piece_id(e->as.scored.piece)); break;
    case BW_WAR_KEY_APPEARED:
    case BW_WAR_KEY_VANISHED:
        snprintf(text, cap, "%s %s %d,%d", name, bw_war_team_names.names[e->as.key_appeared.team],
                 e->as.key_appeared.at.x, e->as.key_appeared.at.y);
        break;
    case BW_WAR_RESCUED:
        snprintf(text, cap, "%s %s %d", name, bw_war_piece_id(e->as.rescued.piece), e->as.rescued.freed_count);
        break;
    case BW_WAR_ZONE_ACTIVE:
    case BW_WAR_ZONE_INACTIVE:
        snprintf(text, cap, "%s %s", name, bw_war_team_names.names[e->as.zone_active.team]);
        break;
    }
}

/* Plays the orders given so far and clears them; the events are in `log`, separated by "; ". */
static inline void play_by(field *f, const bw_war_rules *rules) {
    bw_events events = {.memory = (unsigned char *)f->events, .size = sizeof(bw_war_event), .cap = BW_WAR_EVENTS};
    if (rules) bw_war_round_by(rules, &f->state, &f->orders, &events);
    else bw_war_round(&f->state, &f->orders, &events);
    size_t length = 0;
    f->log[0] = '\0';
    for (uint32_t i = 0; i < events.count; i++) {
        char text[80];
        write_event(text, sizeof text, &f->events[i]);
        length += (size_t)snprintf(f->log + length, sizeof f->log - length, "%s%s", i ? "; " : "", text);
    }
    bw_war_orders_clear(&f->orders);
}
static inline void play(field *f) { play_by(f, NULL); }

#define assert_at(f, piece, x_, y_) assert_int_equal((f)->state.square[piece], bw_war_square(x_, y_))
#define assert_jailed(f, piece)                                     \
    do {                                                            \
        assert_true(bw_war_is((f)->state.jailed, piece));           \
        assert_int_equal((f)->state.square[piece], BW_WAR_NOWHERE); \
    } while (0)
#define assert_log(f, text) assert_string_equal((f)->log, text)

#endif
