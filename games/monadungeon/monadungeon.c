/* Monadungeon behind engine/game.h. */
#include "games/monadungeon/monadungeon.h"

#include "games/monadungeon/rules.h"

#include <string.h>

static const bw_role roles[BW_DUNGEON_PLAYERS] = {
    {"player1", "Player 1", 0}, {"player2", "Player 2", 0}, {"player3", "Player 3", 0}, {"player4", "Player 4", 0}};

#define BW_DUNGEON_REFUSAL_SENTENCE(constant, sentence) sentence,
static const char *const refusals[] = {BW_DUNGEON_REFUSALS(BW_DUNGEON_REFUSAL_SENTENCE)};

static const bw_dungeon_config defaults = {
    .max_hp = 5, .actions = 4, .deck_size = 88, .gates = BW_DUNGEON_GATES_ALWAYS, .quick = false, .torch_turns = 25};

static const bw_variant variants[] = {
    {"short", "A short dungeon", "At most 40 tiles between you and the dragon.", 20,
     "{\"quick\":true,\"deck_size\":88}"},
    {"full", "The whole dungeon", "All 88 tiles.", 45, "{\"quick\":false,\"deck_size\":88}"},
};

static void init(void *state, const void *config, uint32_t seats, const uint8_t seed[32]) {
    bw_dungeon_init(state, config, seats, seed);
}

static uint32_t turn(const void *state) {
    const bw_dungeon *dungeon = state;
    return dungeon->over ? 0 : 1u << dungeon->current;
}

static int apply(void *state, int seat, const void *action, bw_events *events) {
    return bw_dungeon_apply(state, seat, action, events);
}

static uint32_t legal(const void *state, int seat, void *actions, uint32_t cap) {
    return bw_dungeon_legal(state, seat, actions, cap);
}

static bool sample(const void *state, int seat, bw_fast *fast, void *action) {
    return bw_dungeon_sample(state, seat, fast, action);
}

static void view_of(const void *state, int seat, void *view) {
    (void)seat; /* everyone sees the same */
    bw_dungeon_view_of(state, view);
}

static int guess(void *state, const void *view, const void *config, int seat, uint64_t seed) {
    (void)seat;
    return bw_dungeon_guess(state, view, config, seed);
}

/* The number of rooms in the deck depends on the shuffle. */
static const char *const *foresee(const void *config, uint32_t seats, void *view) {
    static const char *const later[] = {"rooms_left", NULL};
    static const uint8_t no_seed[32];
    bw_dungeon dungeon;
    bw_dungeon_init(&dungeon, config, seats ? seats : 1, no_seed);
    bw_dungeon_view_of(&dungeon, view);
    if (!seats) ((bw_dungeon_view *)view)->players_info_count = 0;
    return later;
}

static uint32_t current_turn(const void *state) { return ((const bw_dungeon *)state)->turn_number; }

uint32_t bw_dungeon_winners(const bw_dungeon *dungeon) {
    uint32_t winners = 0;
    int best = -1;
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS; seat++) {
        if (!(dungeon->active >> seat & 1)) continue;
        if (dungeon->players[seat].points > best) {
            best = dungeon->players[seat].points;
            winners = 0;
        }
        winners |= (uint32_t)(dungeon->players[seat].points == best) << seat;
    }
    return winners;
}

static uint32_t winners(const void *state) { return bw_dungeon_winners(state); }

static void count_for(bw_dungeon_tally *tally, int seat, uint16_t value) {
    memcpy(tally->key, bw_dungeon_role_names.names[seat], sizeof "player1");
    tally->value = value;
}

static void stats_of(const void *state, void *stats) {
    const bw_dungeon *dungeon = state;
    bw_dungeon_stats *figures = stats;
    memset(figures, 0, sizeof *figures);
    figures->turns = dungeon->turn_number;
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS; seat++) {
        if (dungeon->seats >> seat & 1) {
            count_for(&figures->points[figures->points_count++], seat, dungeon->players[seat].points);
            count_for(&figures->hp_lost[figures->hp_lost_count++], seat, dungeon->players[seat].hp_lost);
        }
    }
    if (dungeon->slayer != BW_DUNGEON_NONE) {
        figures->has_slayer = true;
        figures->slayer = dungeon->slayer;
    }
    figures->has_by_absence = figures->by_absence = dungeon->over == 2;
}

/* After the end: won or lost. Before: the lead in points over the best of the others. */
static int32_t score(const void *state, int seat) {
    const bw_dungeon *dungeon = state;
    if (dungeon->over) return bw_dungeon_winners(dungeon) >> seat & 1 ? 1000 : -1000;
    if (!(dungeon->active >> seat & 1)) return -1000;
    int others = 0;
    for (int other = 0; other < BW_DUNGEON_PLAYERS; other++) {
        if (other != seat && dungeon->active >> other & 1 && dungeon->players[other].points > others) {
            others = dungeon->players[other].points;
        }
    }
    return 30 * (dungeon->players[seat].points - others); /* at most 27 points, so at most 810 */
}

static int resign(void *state, int seat, bw_events *events) { return bw_dungeon_resign(state, seat, events); }

static void claim(int seat, void *action) {
    *(bw_dungeon_action *)action = (bw_dungeon_action){.type = BW_DUNGEON_CLAIM, .as.claimed.role = (uint8_t)seat};
}

const bw_game bw_monadungeon = {
    .id = "monadungeon",
    .title = "Monadungeon",
    .summary = "Explore a labyrinth, fight with two dice, gather treasure, and race one another to the dragon.",
    .rules_version = 1,
    .flags = BW_GAME_OPEN_SEATS | BW_GAME_ANY_STARTS | BW_GAME_SAME_VIEW,
    .roles = roles,
    .role_count = BW_DUNGEON_PLAYERS,
    .seats_min = 1,
    .state_size = sizeof(bw_dungeon),
    .max_events = 32,
    .config = &bw_dungeon_config_schema,
    .defaults = &defaults,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .view = &bw_dungeon_view_schema,
    .stats = &bw_dungeon_stats_schema,
    .actions = &bw_dungeon_action_union,
    .events = &bw_dungeon_event_union,
    .refusals = refusals,
    .refusal_count = BW_DUNGEON_REFUSAL_COUNT,
    .init = init,
    .turn = turn,
    .apply = apply,
    .legal = legal,
    .sample = sample,
    .view_of = view_of,
    .foresee = foresee,
    .guess = guess,
    .current_turn = current_turn,
    .winners = winners,
    .stats_of = stats_of,
    .score = score,
    .resign = resign,
    .claim = claim,
    .text = bw_dungeon_text,
};
