#include "bots/flag_war/clause.h"

static bool skipped(uint8_t kind) { return kind == BW_LEX_NOISE || kind == BW_LEX_SQUARES || kind == BW_LEX_MOVE; }

/* The n-th following lexeme that has a meaning. */
static const bw_lexeme *peek(const bw_lexeme *at, int n) {
    for (;; at++) {
        while (skipped(at->kind)) at++;
        if (n-- == 0 || at->kind == BW_LEX_END) return at;
    }
}

static bool is_side(const bw_lexeme *l) {
    return l->kind == BW_LEX_MIDDLE ||
           (l->kind == BW_LEX_DIRECTION && (l->value == BW_WAR_LEFT || l->value == BW_WAR_RIGHT));
}

static bool is_deed(const bw_lexeme *l) {
    return l->kind == BW_LEX_DIRECTION || l->kind == BW_LEX_AHEAD || l->kind == BW_LEX_ACT || l->kind == BW_LEX_TO ||
           l->kind == BW_LEX_NOT;
}

static bool says_deed(const bw_clause *c) { return c->has_act || c->direction >= 0 || c->target != BW_TARGET_NONE; }

/* ---- units ---- */

/* The leftmost, middle or rightmost of the pieces on the board; -1: none is on the board. */
static int by_side(const bw_parser *p, const bw_lexeme *side) {
    int order[BW_WAR_TEAM_MAX], count = 0;
    for (int i = 0; i < p->state->config.pieces; i++) {
        bw_war_spot square = bw_war_departs(p->state, bw_war_piece(p->team, i));
        if (square == BW_WAR_NOWHERE) continue;
        int at = count++;
        for (; at > 0 && bw_war_x(bw_war_departs(p->state, bw_war_piece(p->team, order[at - 1]))) > bw_war_x(square);
             at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    if (!count) return -1;
    return side->kind == BW_LEX_MIDDLE ? order[count / 2] : order[side->value == BW_WAR_LEFT ? 0 : count - 1];
}

static uint32_t everybody(const bw_parser *p) { return (1u << p->state->config.pieces) - 1; }

static void add_unit(bw_clause *c, int index) {
    c->given = true;
    if (index < 0) return;
    *(c->sparing ? &c->spared : &c->units) |= 1u << index;
    if (!c->sparing) c->late |= 1u << index;
}

/* The pieces that a verb already read is about: "rescue 1 and 2", "guard piece 3". */
static bool takes_objects(const bw_clause *c) {
    return c->has_act && !c->with && !c->sparing && (c->act == BW_ACT_RESCUE || c->act == BW_ACT_GUARD);
}

static bool is_unit_number(const bw_parser *p, const bw_lexeme *l) {
    return l->kind == BW_LEX_NUMBER && l->value >= 1 && l->value <= p->state->config.pieces;
}

/* "and" or a comma between two units of a list: a unit follows, and not a new clause. */
static bool list_goes_on(const bw_parser *p, const bw_clause *c) {
    const bw_lexeme *next = peek(p->at, 1);
    if (next->kind == BW_LEX_PIECE) next = peek(p->at, 2);
    bool lists = c->given || (c->objects && takes_objects(c));
    if (!lists || !(is_unit_number(p, next) || is_side(next) || next->kind == BW_LEX_CARRIER)) {
        return false;
    }
    /* After the deed ("guard with 1 and 2") the list goes on, unless the unit has a deed of its own. */
    const bw_lexeme *after = peek(next, 1);
    return !says_deed(c) || !(is_deed(after) || after->kind == BW_LEX_PIECE || after->kind == BW_LEX_NUMBER);
}

static void unknown(bw_parser *p, const bw_lexeme *l) { p->unknown(p->user, l->from, l->to); }

static void set_target(bw_clause *c, bw_target_kind kind, int value) {
    c->target = (uint8_t)kind;
    c->value = (int16_t)value;
}

/* An own piece: one that acts, or one to be rescued or guarded. */
static void take_unit(bw_clause *c, int index) {
    if (index < 0 || !takes_objects(c)) {
        add_unit(c, index);
        return;
    }
    c->objects |= 1u << index;
    if (c->act == BW_ACT_GUARD) set_target(c, BW_TARGET_OWN, index);
}

static void take_unit_number(bw_parser *p, bw_clause *c) {
    if (is_unit_number(p, p->at)) {
        take_unit(c, p->at->value - 1);
    } else {
        c->given = true; /* so that no other piece is sent instead */
        unknown(p, p->at);
    }
    p->at++;
}

/* "get 1 out of jail", "bring 1 and 2 back from jail": the pieces named since the verb are to be rescued. */
static void take_out_of_jail(bw_clause *c) {
    if (!c->has_act || c->act == BW_ACT_GO || c->act == BW_ACT_RETREAT) {
        c->objects |= c->late;
        c->units &= ~c->late;
        c->given = c->units != 0 || c->both || c->others;
    }
    c->has_act = true;
    c->act = BW_ACT_RESCUE;
}

/* ---- targets ---- */

/* Reads "4,2" or "4 2" at a number. */
static bool take_square(bw_parser *p, bw_clause *c) {
    const bw_lexeme *second = peek(p->at, 1);
    bool comma = second->kind == BW_LEX_COMMA;
    if (comma) second = peek(p->at, 2);
    if (second->kind != BW_LEX_NUMBER) return false;
    /* "guard 3, 1 rush the flag": a piece, and another clause */
    if (comma && takes_objects(c) && is_unit_number(p, p->at) && is_unit_number(p, second) &&
        is_deed(peek(second, 1))) {
        return false;
    }
    set_target(c, BW_TARGET_SQUARE, 0);
    c->x = (int16_t)(p->at->value - p->counts_from);
    c->y = (int16_t)(second->value - p->counts_from);
    p->at = second + 1;
    return true;
}

/* "enemy", "their", "red": the owner of the next thing, or an enemy piece. */
static void take_whose(bw_parser *p, bw_clause *c, bool own, bool to) {
    const bw_lexeme *word = p->at++;
    const bw_lexeme *next = peek(p->at, 0);
    if (next->kind == BW_LEX_PIECE) next = peek(p->at, 1);
    if (next->kind == BW_LEX_FLAG || next->kind == BW_LEX_KEY || next->kind == BW_LEX_HOME) {
        c->whose = (uint8_t)(own ? BW_WHOSE_OWN : BW_WHOSE_ENEMY);
    } else if (own) {
        if (word->kind == BW_LEX_TEAM && is_unit_number(p, next) && !says_deed(c)) {
            p->at = next;
            take_unit_number(p, c);
        }
    } else if (!c->given && !says_deed(c) && !to) {
        c->foreign = true; /* "the opponent's pieces go down" */
    } else if (next->kind == BW_LEX_NUMBER) {
        set_target(c, BW_TARGET_ENEMY, next->value);
        p->at = next + 1;
    } else if (next->kind == BW_LEX_CARRIER) {
        set_target(c, BW_TARGET_ENEMY, -1);
        p->at = next + 1;
    } else {
        set_target(c, BW_TARGET_ENEMY, 0);
        p->at = next->kind == BW_LEX_PIECE ? next + 1 : p->at;
    }
}

static void take_line(bw_parser *p, bw_clause *c, bw_target_kind kind) {
    const bw_lexeme *number = peek(p->at + 1, 0);
    if (number->kind == BW_LEX_NUMBER) {
        set_target(c, kind, number->value - p->counts_from);
        p->at = number + 1;
    } else {
        unknown(p, p->at++);
    }
}

/* ---- when ---- */

/* "in two rounds", "at round 9", "for three rounds". false: this says nothing about time. */
static bool take_time(bw_parser *p, bw_clause *c) {
    const bw_lexeme *word = p->at, *one = peek(word + 1, 0), *two = peek(word + 1, 1);
    bool preposition =
        word->kind == BW_LEX_IN || word->kind == BW_LEX_AFTER || word->kind == BW_LEX_FOR || word->kind == BW_LEX_TO;
    if (word->kind == BW_LEX_ROUNDS && one->kind == BW_LEX_NUMBER) {
        c->at_round = one->value;
        p->at = one + 1;
        return true;
    }
    if (preposition && one->kind == BW_LEX_ROUNDS && two->kind == BW_LEX_NUMBER) {
        c->at_round = (int16_t)(two->value + (word->kind == BW_LEX_AFTER));
        p->at = two + 1;
        return true;
    }
    if (preposition && one->kind == BW_LEX_NUMBER && two->kind == BW_LEX_ROUNDS) {
        if (word->kind == BW_LEX_FOR) c->lasting = one->value;
        else c->delay = (int16_t)(one->value + (word->kind == BW_LEX_AFTER));
        p->at = two + 1;
        return true;
    }
    /* "wait two rounds" */
    if (word->kind == BW_LEX_NUMBER && one->kind == BW_LEX_ROUNDS) {
        c->lasting = word->value;
        p->at = one + 1;
        return true;
    }
    if (word->kind == BW_LEX_NOW || word->kind == BW_LEX_NEXT || word->kind == BW_LEX_UNTIL) {
        c->delay = word->kind == BW_LEX_UNTIL ? c->delay : 1;
        c->until_told |= word->kind == BW_LEX_UNTIL;
        p->at++;
        return true;
    }
    return false;
}

/* ---- directions ---- */

/* Returns false if a second direction starts another clause. */
static bool take_direction(bw_parser *p, bw_clause *c, int direction) {
    const bw_lexeme *next = peek(p->at + 1, 0);
    if (next->kind == BW_LEX_EDGE) {
        set_target(c, direction >= BW_WAR_UP_LEFT ? BW_TARGET_CORNER : BW_TARGET_EDGE, direction);
        p->at = next + 1;
        return true;
    }
    c->with = c->sparing = false;
    bool says_one = next->kind == BW_LEX_NUMBER && next->value == 1 && next->to - next->from == 3; /* no "1" */
    if (is_side(p->at) && says_one && !c->given && !says_deed(c) && is_deed(peek(next, 1))) {
        add_unit(c, by_side(p, p->at)); /* "the left one goes up" */
        p->at = next + 1;
        return true;
    }
    bool with_side = c->has_act && c->act != BW_ACT_RETREAT && c->act != BW_ACT_HOLD && c->act != BW_ACT_CANCEL;
    if (is_side(p->at) &&
        (next->kind == BW_LEX_PIECE || (!c->given && !says_deed(c) &&
                                        (is_deed(next) || ((next->kind == BW_LEX_AND || next->kind == BW_LEX_COMMA) &&
                                                           is_side(peek(p->at + 1, 1))))))) {
        add_unit(c, by_side(p, p->at)); /* "left piece", "left to the flag", "left and right hold" */
        p->at = next->kind == BW_LEX_PIECE ? next + 1 : p->at + 1;
        return true;
    }
    if (!with_side && (c->direction >= 0 || c->target != BW_TARGET_NONE)) {
        p->then = true; /* "up 3 left 2" */
        return false;
    }
    c->direction = (int8_t)direction;
    p->at++;
    return true;
}

/* The number of a piece with a deed of its own, after a complete deed: "1 attack 2 defend". */
static bool begins_anew(const bw_parser *p, const bw_clause *c) {
    bool lacks = c->direction >= 0 && !c->has_act && c->distance < 0;
    return c->given && says_deed(c) && !lacks && is_unit_number(p, p->at) && is_deed(peek(p->at, 1));
}

/* A number without a word that explains it. false: another clause starts. */
static bool take_number(bw_parser *p, bw_clause *c, bool to) {
    const bw_lexeme *next = peek(p->at + 1, 0);
    if (!to && begins_anew(p, c)) return false;
    if (next->kind == BW_LEX_PIECE && !c->given && peek(next, 1)->kind != BW_LEX_NUMBER) {
        c->count = (uint8_t)(p->at->value > BW_WAR_TEAM_MAX ? BW_WAR_TEAM_MAX : p->at->value); /* "2 guys" */
        p->at = next + 1;
        return true;
    }
    next = next->kind == BW_LEX_TO ? peek(next + 1, 0) : next;
    bool listed = c->given && (p->at[-1].kind == BW_LEX_AND || p->at[-1].kind == BW_LEX_COMMA);
    bool goes_somewhere =
        to || (c->has_act && (c->act == BW_ACT_GO || c->act == BW_ACT_GUARD || c->act == BW_ACT_HUNT));
    if (c->with || c->sparing) {
        take_unit_number(p, c);
        return true;
    }
    if (goes_somewhere && c->target == BW_TARGET_NONE && c->direction < 0 && take_square(p, c)) {
        return true;
    }
    if (c->direction >= 0 && c->distance < 0 && !c->has_act) {
        c->distance = p->at++->value;
    } else if (c->given && !listed && !says_deed(c) && (next->kind == BW_LEX_DIRECTION || next->kind == BW_LEX_AHEAD)) {
        c->distance = p->at++->value; /* "piece 2 moves 3 up" */
    } else if (p->at[1].kind == BW_LEX_SQUARES && !c->given && !says_deed(c)) {
        c->distance = p->at++->value; /* "3 squares up" */
    } else if (!c->given || listed || takes_objects(c)) {
        take_unit_number(p, c);
    } else {
        unknown(p, p->at++);
    }
    return true;
}

/* "run home with the flag", "chase whoever has our flag": here the flag is not a target. */
static bool minds_no_flag(const bw_clause *c) {
    return c->has_act && (c->act == BW_ACT_RETREAT || c->act == BW_ACT_HUNT);
}

static void take_act(bw_clause *c, bw_act act) {
    c->with = c->sparing = false;
    bool weaker = act == BW_ACT_GO || (act == BW_ACT_HUNT && c->act == BW_ACT_RESCUE);
    if (c->has_act && weaker) {
        return; /* "go and get them out of jail", "don't let them get our flag" */
    }
    c->has_act = true;
    c->act = (uint8_t)act;
    if (minds_no_flag(c) && c->target == BW_TARGET_FLAG) c->target = BW_TARGET_NONE;
}

/* ---- clauses ---- */

/* At a separator: has the clause ended? If not, skips the separator. */
static bool ends_here(bw_parser *p, const bw_clause *c) {
    uint8_t kind = p->at->kind;
    if (kind == BW_LEX_END) return true;
    if (kind == BW_LEX_STOP || kind == BW_LEX_THEN) return c->given || says_deed(c) || c->negated;
    if (kind == BW_LEX_AND || kind == BW_LEX_COMMA) return says_deed(c) && !list_goes_on(p, c);
    return false;
}

/* Skips separators and empty words before a clause. */
static void skip_to_clause(bw_parser *p) {
    for (;; p->at++) {
        uint8_t kind = p->at->kind;
        if (kind == BW_LEX_THEN) {
            p->then = true;
        } else if (kind != BW_LEX_STOP && kind != BW_LEX_COMMA && kind != BW_LEX_AND && !skipped(kind)) {
            return;
        }
    }
}

/* Reads one lexeme, or several that belong together. false: the clause ends before it. */
static bool take(bw_parser *p, bw_clause *c, bool *to) {
    const bw_lexeme *l = p->at;
    bool was_to = *to;
    if (!skipped(l->kind)) *to = false;
    if (take_time(p, c)) return true;
    switch ((bw_lexeme_kind)l->kind) {
    case BW_LEX_NUMBER: return take_number(p, c, was_to);
    case BW_LEX_DIRECTION: return take_direction(p, c, l->value);
    case BW_LEX_AHEAD:
        return take_direction(p, c, (l->value > 0) == (p->team == BW_WAR_BLUE) ? BW_WAR_UP : BW_WAR_DOWN);
    case BW_LEX_PIECE:
        p->at++;
        if (peek(p->at, 0)->kind == BW_LEX_NUMBER) {
            p->at = peek(p->at, 0);
            take_unit_number(p, c);
        } else if (l->value && !c->given && !c->foreign && !says_deed(c)) {
            c->given = true; /* "our pieces go up" */
            c->units = everybody(p);
        }
        return true;
    case BW_LEX_MIDDLE:
        if (was_to || c->given || (says_deed(c) && peek(l + 1, 0)->kind != BW_LEX_PIECE)) {
            set_target(c, BW_TARGET_MIDDLE, 0);
        } else {
            add_unit(c, by_side(p, l));
        }
        p->at++;
        return true;
    case BW_LEX_ALL:
        if (takes_objects(c) && c->act == BW_ACT_RESCUE) break; /* "free everyone" */
        c->given = true;
        c->units = everybody(p);
        break;
    case BW_LEX_BOTH:
        if (!is_unit_number(p, peek(l + 1, 0)) && peek(l + 1, 0)->kind != BW_LEX_PIECE) c->given = c->both = true;
        break; /* "both 1 and 3" */
    case BW_LEX_STANCE:
        take_act(c, (bw_act)l->value);
        c->everyone = true;
        break;
    case BW_LEX_OUT: take_out_of_jail(c); break;
    case BW_LEX_BAD:
        c->broken = true;
        unknown(p, l);
        break;
    case BW_LEX_MOVE: c->late = 0; break;
    case BW_LEX_OTHERS: c->given = c->others = true; break;
    case BW_LEX_EXCEPT:
        c->units = l->value || !c->given ? everybody(p) : c->units;
        c->given = c->sparing = true;
        break;
    case BW_LEX_WITH: c->with = true; break;
    case BW_LEX_NEAREST: c->nearest = true; break;
    case BW_LEX_CARRIER:
        if (c->has_act && c->act == BW_ACT_HUNT) {
            set_target(c, BW_TARGET_ENEMY, -1);
        } else {
            int carrier = p->state->carrier[1 - p->team] - 1;
            take_unit(c, carrier < 0 ? -1 : carrier - p->team * BW_WAR_TEAM_MAX);
        }
        break;
    case BW_LEX_FAR: c->distance = BW_WAR_SIDE_MAX; break;
    case BW_LEX_TO: *to = true; break;
    case BW_LEX_NOT: c->negated = true; break;
    case BW_LEX_ACT:
        take_act(c, (bw_act)l->value);
        c->late = 0;
        break;
    case BW_LEX_FLAG:
        if (!minds_no_flag(c)) set_target(c, BW_TARGET_FLAG, 0);
        break;
    case BW_LEX_KEY: set_target(c, BW_TARGET_KEY, 0); break;
    case BW_LEX_HOME: set_target(c, BW_TARGET_HOME, 0); break;
    case BW_LEX_COLUMN: take_line(p, c, BW_TARGET_COLUMN); return true;
    case BW_LEX_ROW: take_line(p, c, BW_TARGET_ROW); return true;
    case BW_LEX_OWN: take_whose(p, c, true, was_to); return true;
    case BW_LEX_ENEMY: take_whose(p, c, false, was_to); return true;
    case BW_LEX_TEAM: take_whose(p, c, l->value == p->team, was_to); return true;
    case BW_LEX_UNKNOWN:
    case BW_LEX_EDGE:
    case BW_LEX_ROUNDS: unknown(p, l); break;
    default: break; /* empty words */
    }
    p->at++;
    return true;
}

bool bw_clause_drop_conditions(bw_lexeme *lexemes) {
    bool any = false;
    for (bw_lexeme *l = lexemes; l->kind != BW_LEX_END;) {
        bw_lexeme *end = l;
        bool conditional = false;
        for (; end->kind != BW_LEX_END && end->kind != BW_LEX_STOP; end++) {
            conditional = conditional || end->kind == BW_LEX_IF;
        }
        for (; conditional && l < end; l++) l->kind = BW_LEX_NOISE;
        any = any || conditional;
        l = end->kind == BW_LEX_STOP ? end + 1 : end;
    }
    return any;
}

bool bw_clause_next(bw_parser *p, bw_clause *c) {
    *c = (bw_clause){.direction = -1, .distance = -1};
    skip_to_clause(p);
    if (p->at->kind == BW_LEX_END) return false;
    c->then = p->then;
    p->then = false;
    c->from = p->at->from;
    c->to = p->at->to;
    bool to = false;
    while (!ends_here(p, c)) {
        const bw_lexeme *before = p->at;
        if (!take(p, c, &to)) break;
        c->to = p->at > before ? p->at[-1].to : c->to;
    }
    c->units &= ~c->spared;
    return true;
}
