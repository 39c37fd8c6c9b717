/* Shared by the tests of Monadungeon: a small dungeon, tiles placed by hand, known dice. */
#ifndef BW_MONADUNGEON_TEST_HELP_H
#define BW_MONADUNGEON_TEST_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "games/monadungeon/rules.h"
#include "tests/support/unit.h"

enum { TOP = 1, RIGHT = 2, BOTTOM = 4, LEFT = 8, ALL = 15, EVENTS = 32 };
enum { NONE = BW_DUNGEON_NONE };

typedef struct table {
    bw_dungeon d;
    bw_dungeon_config config;
    bw_dungeon_event list[EVENTS];
    bw_events events; /* of the last action */
} table;

static inline void begin_with(table *t, const bw_dungeon_config *config, uint32_t seats, uint8_t seed) {
    uint8_t key[32] = {seed, 77};
    memset(t, 0, sizeof *t);
    t->config = *config;
    t->events = (bw_events){(unsigned char *)t->list, sizeof t->list[0], 0, EVENTS};
    bw_dungeon_init(&t->d, config, seats, key);
}

/* Default settings, that many players. */
static inline void begin(table *t, int players) { begin_with(t, bw_monadungeon.defaults, (1u << players) - 1, 1); }

static inline uint8_t lay(table *t, int x, int y, uint8_t sides, uint8_t kind) {
    return bw_dungeon_lay(&t->d, x, y, sides, kind, NONE, NONE);
}

/* A room with a monster and the loot it guards. */
static inline uint8_t lair(table *t, int x, int y, uint8_t monster, uint8_t loot) {
    return bw_dungeon_lay(&t->d, x, y, ALL, BW_DUNGEON_ROOM, monster, loot);
}

/* Sets the next roll. */
static inline void rig(table *t, int first, int second) {
    for (;;) {
        bw_rng copy = t->d.rng;
        uint32_t a = 1 + bw_rng_below(&copy, 6), b = 1 + bw_rng_below(&copy, 6);
        if ((int)a == first && (int)b == second) return;
        bw_rng_next(&t->d.rng);
    }
}

static inline int act(table *t, bw_dungeon_action action) {
    bw_dungeon before = t->d;
    t->events.count = 0;
    int outcome = bw_dungeon_apply(&t->d, t->d.current, &action, &t->events);
    if (outcome < 0) { /* nothing has changed, and there is a sentence */
        assert_memory_equal(&before, &t->d, sizeof before);
        assert_int_equal(t->events.count, 0);
        assert_true(strlen(bw_refusal(&bw_monadungeon, outcome)) > 20);
    }
    return outcome;
}

static inline int act_to(table *t, uint8_t type, int x, int y) {
    bw_dungeon_action action = {.type = type};
    action.as.move.to = (bw_dungeon_cell){x, y};
    return act(t, action);
}
static inline int move_to(table *t, int x, int y) { return act_to(t, BW_DUNGEON_MOVE, x, y); }
static inline int explore(table *t, int x, int y) { return act_to(t, BW_DUNGEON_EXPLORE, x, y); }
static inline int place(table *t, uint8_t rotation) {
    return act(t, (bw_dungeon_action){.type = BW_DUNGEON_PLACE, .as.place.rotation = rotation});
}
static inline int battle(table *t, uint16_t fireballs) {
    return act(t, (bw_dungeon_action){.type = BW_DUNGEON_BATTLE, .as.battle.fireballs = fireballs});
}
static inline int plain(table *t, uint8_t type) { return act(t, (bw_dungeon_action){.type = type}); }
static inline int pick_up(table *t, int drop) {
    bw_dungeon_action action = {.type = BW_DUNGEON_PICK_UP};
    action.as.pick_up.has_drop = drop >= 0;
    action.as.pick_up.drop = (uint8_t)(drop >= 0 ? drop : 0);
    return act(t, action);
}
static inline int cast(table *t, uint8_t spell) {
    return act(t, (bw_dungeon_action){.type = BW_DUNGEON_CAST, .as.cast.spell = spell});
}
static inline int teleport(table *t, int x, int y) {
    bw_dungeon_action action = {.type = BW_DUNGEON_CAST};
    action.as.cast = (bw_dungeon_cast){.spell = BW_DUNGEON_CAST_TELEPORT, .has_to = true, .to = {x, y}};
    return act(t, action);
}

static inline const bw_dungeon_event *event_of(const table *t, uint8_t type) {
    for (uint32_t i = 0; i < t->events.count; i++) {
        if (t->list[i].type == type) return &t->list[i];
    }
    return NULL;
}

static inline bool is_legal(const table *t, uint8_t type) {
    bw_dungeon_action list[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = bw_dungeon_legal(&t->d, t->d.current, list, BW_DUNGEON_LEGAL_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].type == type) return true;
    }
    return false;
}

/* The types of legal actions, as a bit set. */
static inline uint32_t legal_types(const table *t) {
    uint32_t types = 0;
    for (uint8_t type = 0; type <= BW_DUNGEON_END_TURN; type++) {
        types |= (uint32_t)is_legal(t, type) << type;
    }
    return types;
}

static inline uint32_t only(uint8_t type) { return 1u << type; }

/* Puts a tile of the pool on top of the deck, so it is drawn next. */
static inline void stack(table *t, uint8_t sides, uint8_t kind) {
    for (uint8_t type = 0; type < BW_DUNGEON_TILE_TYPES; type++) {
        for (unsigned turn = 0; turn < 4; turn++) {
            if (bw_dungeon_tile_types[type].kind == kind &&
                bw_dungeon_turned(bw_dungeon_tile_types[type].sides, turn) == sides) {
                uint8_t gone = t->d.deck[t->d.deck_left - 1];
                t->d.rooms_left = (uint8_t)(t->d.rooms_left + (kind == BW_DUNGEON_ROOM) -
                                            (bw_dungeon_tile_types[gone].kind == BW_DUNGEON_ROOM));
                t->d.deck[t->d.deck_left - 1] = type;
                return;
            }
        }
    }
    fail_msg("no such tile");
}

/* Sets the token that is drawn next. */
static inline void stack_token(table *t, uint8_t monster) {
    for (uint8_t type = 0; type < BW_DUNGEON_TOKEN_TYPES; type++) {
        if (bw_dungeon_token_types[type].monster == monster) {
            t->d.tokens[t->d.tokens_left - 1] = type;
            return;
        }
    }
    fail_msg("no such token");
}

#define REFUSED(call, why) assert_int_equal(call, BW_DUNGEON_REFUSES_##why)
#define ACCEPTED(call) assert_int_equal(call, 0)

#endif
