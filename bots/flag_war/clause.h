/* Orders in words: from lexemes to clauses.
 *
 *   orders  = clause { (, | and | . | then) clause }
 *   clause  = [when] [units] deed [target] [with units] [when]
 *   units   = number list | left, middle, right [piece] | all | others | carrier | nearest | n pieces
 *             [except units] | both
 *   deed    = direction [distance] | a verb | "to"
 *   target  = x,y | [enemy | own] flag, key | home | column n | row n | corner | edge | middle | enemy piece
 *   when    = now | next round | in n rounds | at round n | after n rounds | for n rounds | until told
 *
 * A sentence with a condition ("if 1 is tagged, 2 rescue him") orders nothing: bw_clause_drop_conditions takes it out
 * first. A clause about the enemy's pieces (`foreign`), or with a number or choice that no order has (`broken`), is not
 * carried out either.
 *
 * The order within a clause is free where no word is ambiguous. plan.c decides what a clause leaves out. */
#ifndef BW_FLAG_WAR_CLAUSE_H
#define BW_FLAG_WAR_CLAUSE_H

#include "bots/flag_war/lexicon.h"
#include "games/flag_war/flag_war.h"

typedef enum bw_target_kind {
    BW_TARGET_NONE,
    BW_TARGET_SQUARE,
    BW_TARGET_FLAG,
    BW_TARGET_KEY,
    BW_TARGET_HOME,
    BW_TARGET_COLUMN,
    BW_TARGET_ROW,
    BW_TARGET_CORNER, /* value: a diagonal direction */
    BW_TARGET_EDGE,   /* value: a direction */
    BW_TARGET_MIDDLE,
    BW_TARGET_ENEMY, /* value: the piece's number, 0: the nearest, -1: the carrier */
    BW_TARGET_OWN,   /* after an own piece; value: its index */
} bw_target_kind;

typedef enum bw_whose { BW_WHOSE_UNSAID, BW_WHOSE_OWN, BW_WHOSE_ENEMY } bw_whose;

typedef struct bw_clause {
    uint32_t units;   /* bit set of piece indices */
    bool given;       /* units were named, even if there is no such unit */
    bool others;      /* the units not named so far */
    bool both;        /* the two that were named */
    bool everyone;    /* if no unit is named */
    bool foreign;     /* it is about the enemy's pieces */
    bool broken;      /* it has a number or choice that no order can have */
    uint32_t objects; /* own pieces to be rescued or guarded: they do not act */
    uint32_t late;    /* units named since the last verb */
    bool nearest;
    bool with;    /* the next number is a piece number */
    bool sparing; /* the next pieces are named as exceptions */
    uint32_t spared;
    bool then; /* after the previous clause */
    bool negated;
    bool until_told;
    bool has_act;
    uint8_t act;      /* bw_act */
    uint8_t count;    /* that many pieces, any of them; 0: not said */
    int8_t direction; /* of a step, or the side of a verb; -1: none */
    int16_t distance; /* -1: not said */
    int16_t delay;    /* rounds; 1 is the next one; 0: not said */
    int16_t at_round; /* 0: not said */
    int16_t lasting;  /* rounds; 0: not said */
    uint8_t target;   /* bw_target_kind */
    uint8_t whose;    /* bw_whose, for a flag or key */
    int16_t x, y;     /* SQUARE */
    int16_t value;
    uint16_t from, to; /* bytes of the text */
} bw_clause;

typedef struct bw_parser {
    const bw_lexeme *at;
    const bw_war_state *state;
    int team;
    int counts_from; /* the numbering of columns and rows in the text; in a clause they count from 0 */
    bool then;       /* the next clause follows this one in time */
    /* Called with the bytes of words that mean nothing to the grammar. */
    void (*unknown)(void *user, uint16_t from, uint16_t to);
    void *user;
} bw_parser;

/* Turns sentences with a condition into words without meaning. false: there are none. */
bool bw_clause_drop_conditions(bw_lexeme *lexemes);
/* false: the text is at its end. */
bool bw_clause_next(bw_parser *parser, bw_clause *clause);

#endif
