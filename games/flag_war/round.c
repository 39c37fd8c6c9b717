/* One round: steps 2 to 7 of the rules page, one function each. The room does step 1 (the bots) and step 8 (the
 * messages).
 *
 * Everything is inlined into bw_war_round with the standard rules as constants, so that the fast path calls nothing
 * through a pointer; bw_war_round_by is the same body for a variant. */
#include "games/flag_war/flag_war.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

const bw_war_rules bw_war_standard = {.reaches = bw_war_reaches, .guarded = bw_war_guarded, .key = bw_war_key};

void bw_war_init(bw_war_state *state, const bw_war_config *config) {
    memset(state, 0, sizeof *state);
    memcpy(&state->config, config, sizeof *config);
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
        bool plays = bw_war_is(bw_war_team_bits(config, bw_war_team_of(piece)), piece);
        state->square[piece] = plays ? bw_war_start(config, piece) : BW_WAR_NOWHERE;
    }
}

bw_war_spot bw_war_toward(const bw_war_config *config, bw_war_spot from, int direction, int64_t distance) {
    static const int8_t columns[] = {0, 0, -1, 1, -1, 1, -1, 1}, rows[] = {-1, 1, 0, 0, -1, -1, 1, 1};
    bw_war_spot at = from;
    for (int64_t step = 0; step < distance; step++) {
        int x = bw_war_x(at) + columns[direction], y = bw_war_y(at) + rows[direction];
        if (!bw_war_on_board(config, x, y) || !bw_war_reaches(config, from, bw_war_square(x, y))) {
            break;
        }
        at = bw_war_square(x, y);
    }
    return at;
}

/* ---- events ---- */

INLINE bw_war_event *event(bw_events *events, bw_war_event_type type) {
    return events ? bw_event(events, (uint8_t)type) : NULL;
}

/* ---- used by several steps ---- */

INLINE int next_of(uint32_t *pieces) {
    int piece = __builtin_ctz(*pieces);
    *pieces &= *pieces - 1;
    return piece;
}

INLINE uint32_t in_game(const bw_war_config *config) {
    return bw_war_team_bits(config, BW_WAR_BLUE) | bw_war_team_bits(config, BW_WAR_RED);
}

INLINE uint32_t standing(const bw_war_state *state) { return in_game(&state->config) & ~(uint32_t)state->jailed; }

INLINE void lose_flag(bw_war_state *state, int piece, bw_events *events) {
    int enemy = 1 - bw_war_team_of(piece);
    if (state->carrier[enemy] != piece + 1) return;
    state->carrier[enemy] = 0;
    bw_war_event *e = event(events, BW_WAR_FLAG_RETURNED);
    if (e) e->as.flag_returned = (bw_war_carried){.team = (uint8_t)enemy, .piece = (uint8_t)piece};
}

INLINE void send_home(bw_war_state *state, int piece, bw_war_return reason, bw_events *events) {
    bw_war_spot from = state->square[piece], to = bw_war_start(&state->config, piece);
    state->square[piece] = to;
    bw_war_event *e = event(events, BW_WAR_RETURNED);
    if (e) {
        e->as.returned = (bw_war_returned){.piece = (uint8_t)piece,
                                           .from = bw_war_point_at(from),
                                           .to = bw_war_point_at(to),
                                           .reason = (uint8_t)reason};
    }
    lose_flag(state, piece, events);
}

INLINE void send_to_jail(bw_war_state *state, int piece, bw_events *events) {
    bw_war_event *e = event(events, BW_WAR_JAILED);
    if (e) {
        e->as.jailed = (bw_war_jailed){.piece = (uint8_t)piece, .at = bw_war_point_at(state->square[piece])};
    }
    state->square[piece] = BW_WAR_NOWHERE;
    state->jailed = (uint16_t)(state->jailed | 1u << piece);
    state->jailings[bw_war_team_of(piece)]++;
    lose_flag(state, piece, events);
}

INLINE void end(bw_war_state *state, uint32_t winners, bw_war_reason reason) {
    state->over = 1;
    state->winners = (uint8_t)winners;
    state->reason = (uint8_t)reason;
}

/* ---- the steps ---- */

/* 2. Rescuers of the last round go home, and may move on from there. */
INLINE void return_rescuers(bw_war_state *state, bw_events *events) {
    for (uint32_t pieces = state->rescuing; pieces;) {
        send_home(state, next_of(&pieces), BW_WAR_AFTER_RESCUE, events);
    }
    state->rescuing = 0;
}

static void skip(bw_events *events, int piece, bw_war_spot to, bw_war_skip reason) {
    bw_war_event *e = event(events, BW_WAR_SKIPPED);
    if (e) {
        e->as.skipped = (bw_war_skipped){.piece = (uint8_t)piece, .to = bw_war_point_at(to), .reason = (uint8_t)reason};
    }
}

/* 3. All pieces at once: no move depends on another, only on the current zones. */
INLINE void move_all(const bw_war_rules *rules, bw_war_state *state, const bw_war_orders *orders, bw_events *events) {
    const bw_war_config *config = &state->config;
    for (uint32_t pieces = in_game(config); pieces;) {
        int piece = next_of(&pieces), team = bw_war_team_of(piece);
        bw_war_spot from = state->square[piece], to = orders->to[piece];
        if (to == BW_WAR_NOWHERE || to == from) continue;
        if (from == BW_WAR_NOWHERE) {
            skip(events, piece, to, BW_WAR_SKIP_JAILED);
        } else if (!rules->reaches(config, from, to)) {
            skip(events, piece, to, BW_WAR_SKIP_OUT_OF_REACH);
        } else if (!state->carrier[team] && rules->guarded(config, team, to)) {
            bw_war_event *e = event(events, BW_WAR_VOIDED);
            if (e) e->as.voided = (bw_war_voided){.piece = (uint8_t)piece, .to = bw_war_point_at(to)};
        } else {
            state->square[piece] = to;
            bw_war_event *e = event(events, BW_WAR_MOVED);
            if (e) {
                e->as.moved =
                    (bw_war_moved){.piece = (uint8_t)piece, .from = bw_war_point_at(from), .to = bw_war_point_at(to)};
            }
        }
    }
}

/* 4. All squares are judged before anything is carried out, so a reset onto an occupied square is not examined in
 * this round. */
INLINE void collide(bw_war_state *state, bw_events *events) {
    const bw_war_config *config = &state->config;
    const uint32_t team_bits[] = {bw_war_team_bits(config, BW_WAR_BLUE), bw_war_team_bits(config, BW_WAR_RED)};
    uint32_t to_jail = 0, to_start = 0;
    for (uint32_t pieces = standing(state); pieces;) {
        int piece = next_of(&pieces);
        bw_war_spot square = state->square[piece];
        uint32_t here = 1u << piece;
        for (uint32_t others = pieces; others;) {
            int other = next_of(&others);
            here |= (uint32_t)(state->square[other] == square) << other;
        }
        if (!(here & (here - 1))) continue;
        pieces &= ~here;
        uint32_t caught = 0;
        if (here & team_bits[BW_WAR_BLUE] && here & team_bits[BW_WAR_RED]) {
            int ground = bw_war_ground(config, square);
            caught = ground < 0 ? here : here & team_bits[1 - ground];
        }
        uint32_t remain = here & ~caught;
        to_jail |= caught;
        if (remain & (remain - 1)) to_start |= remain;
    }
    while (to_jail) send_to_jail(state, next_of(&to_jail), events);
    while (to_start) send_home(state, next_of(&to_start), BW_WAR_AFTER_COLLISION, events);
}

/* 5. Returns true if somebody scored: the game is over. */
INLINE bool take_flags(bw_war_state *state, bw_events *events) {
    const bw_war_config *config = &state->config;
    uint32_t scorers = 0;
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        int enemy = 1 - team;
        if (!state->carrier[enemy]) {
            bw_war_spot flag = bw_war_flag(config, enemy);
            for (uint32_t pieces = standing(state) & bw_war_team_bits(config, team); pieces;) {
                int piece = next_of(&pieces);
                if (state->square[piece] != flag) continue;
                state->carrier[enemy] = (uint8_t)(piece + 1);
                bw_war_event *e = event(events, BW_WAR_FLAG_TAKEN);
                if (e) {
                    e->as.flag_taken = (bw_war_carried){.team = (uint8_t)enemy, .piece = (uint8_t)piece};
                }
                break;
            }
        } else if (bw_war_ground(config, state->square[state->carrier[enemy] - 1]) == team) {
            scorers |= 1u << team;
            bw_war_event *e = event(events, BW_WAR_SCORED);
            if (e) {
                e->as.scored = (bw_war_scored){.team = (uint8_t)team, .piece = (uint8_t)(state->carrier[enemy] - 1)};
            }
        }
    }
    if (scorers) end(state, scorers == 3 ? 0 : scorers, BW_WAR_BY_FLAG);
    return scorers != 0;
}

static void tell_key(bw_events *events, bw_war_event_type type, int team, bw_war_spot key) {
    bw_war_event *e = event(events, type);
    if (e) e->as.key_appeared = (bw_war_keyed){.team = (uint8_t)team, .at = bw_war_point_at(key)};
}

static void rescue(bw_war_state *state, int rescuer, bw_events *events) {
    int team = bw_war_team_of(rescuer);
    uint32_t jailed = state->jailed & bw_war_team_bits(&state->config, team);
    bw_war_event *e = event(events, BW_WAR_RESCUED);
    if (e) e->as.rescued = (bw_war_rescued){.team = (uint8_t)team, .piece = (uint8_t)rescuer};
    state->jailed = (uint16_t)(state->jailed & ~jailed);
    state->rescuing = (uint16_t)(state->rescuing | 1u << rescuer);
    state->rescues++;
    while (jailed) {
        int piece = next_of(&jailed);
        state->square[piece] = bw_war_start(&state->config, piece);
        if (e) e->as.rescued.freed[e->as.rescued.freed_count++] = (uint8_t)piece;
    }
}

/* 6. Only a key that was on the board before this round works. */
INLINE void use_keys(const bw_war_rules *rules, bw_war_state *state, bw_events *events) {
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        uint32_t team_bits = bw_war_team_bits(&state->config, team);
        if (!state->key[team] && !(state->jailed & team_bits)) continue;
        bw_war_spot key = rules->key(&state->config, team);
        if (state->key[team]) {
            for (uint32_t pieces = standing(state) & team_bits; pieces;) {
                int piece = next_of(&pieces);
                if (state->square[piece] != key) continue;
                rescue(state, piece, events);
                break;
            }
        }
        uint8_t lies = key != BW_WAR_NOWHERE && (state->jailed & team_bits) != 0;
        if (lies != state->key[team]) {
            tell_key(events, lies ? BW_WAR_KEY_APPEARED : BW_WAR_KEY_VANISHED, team, key);
        }
        state->key[team] = lies;
    }
}

/* 7. `away`: the flags that were away before this round. */
INLINE void change_zones(const bw_war_rules *rules, bw_war_state *state, const uint8_t away[], bw_events *events) {
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        bool is_away = state->carrier[team] != 0;
        if (is_away == (away[team] != 0)) continue;
        bw_war_event *e = event(events, is_away ? BW_WAR_ZONE_INACTIVE : BW_WAR_ZONE_ACTIVE);
        if (e) e->as.zone_active = (bw_war_zoned){.team = (uint8_t)team};
        if (is_away) continue;
        for (uint32_t pieces = standing(state) & bw_war_team_bits(&state->config, team); pieces;) {
            int piece = next_of(&pieces);
            if (rules->guarded(&state->config, team, state->square[piece])) {
                send_home(state, piece, BW_WAR_OUT_OF_ZONE, events);
            }
        }
    }
}

INLINE void look_for_an_end(bw_war_state *state) {
    const bw_war_config *config = &state->config;
    uint32_t alive = 0;
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        alive |= (uint32_t)((standing(state) & bw_war_team_bits(config, team)) != 0) << team;
    }
    if (config->elimination && alive != 3) {
        end(state, alive, BW_WAR_BY_ELIMINATION);
    } else if (config->max_rounds && state->round >= config->max_rounds) {
        end(state, 0, BW_WAR_BY_MAX_ROUNDS);
    }
}

INLINE void play(const bw_war_rules *rules, bw_war_state *state, const bw_war_orders *orders, bw_events *events) {
    const uint8_t away[] = {state->carrier[BW_WAR_BLUE], state->carrier[BW_WAR_RED]};
    state->round++;
    return_rescuers(state, events);
    move_all(rules, state, orders, events);
    collide(state, events);
    if (take_flags(state, events)) return;
    use_keys(rules, state, events);
    change_zones(rules, state, away, events);
    look_for_an_end(state);
}

void bw_war_round(bw_war_state *state, const bw_war_orders *orders, bw_events *events) {
    if (events) play(&bw_war_standard, state, orders, events);
    else play(&bw_war_standard, state, orders, NULL);
}

void bw_war_round_by(const bw_war_rules *rules, bw_war_state *state, const bw_war_orders *orders, bw_events *events) {
    play(rules, state, orders, events);
}

/* ---- an estimate ---- */

/* A carried flag: the closer to the carrier's own ground, the more. */
static int32_t progress(const bw_war_state *state, int team) {
    const bw_war_config *config = &state->config;
    int carrier = (int)state->carrier[1 - team] - 1;
    if (carrier < 0) return 0;
    int rows = bw_war_territory_rows(config), y = bw_war_y(state->square[carrier]);
    int left = team == BW_WAR_BLUE ? config->height - rows - y : y - (rows - 1);
    return 250 - 150 * left / config->height;
}

int32_t bw_war_score(const bw_war_state *state, int team) {
    if (state->over) return !state->winners ? 0 : state->winners >> team & 1 ? 1000 : -1000;
    int32_t value = progress(state, team) - progress(state, 1 - team);
    for (int side = 0; side < BW_WAR_TEAMS; side++) {
        int32_t share = 0;
        for (uint32_t jailed = state->jailed & bw_war_team_bits(&state->config, side); jailed; jailed &= jailed - 1) {
            share += 400 / state->config.pieces;
        }
        value += side == team ? -share : share;
    }
    return value;
}
