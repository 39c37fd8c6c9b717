/* Orders as text: splits text into lexemes, with one table of synonyms. */
#ifndef BW_FLAG_WAR_LEXICON_H
#define BW_FLAG_WAR_LEXICON_H

#include <stdbool.h>
#include <stdint.h>

enum { BW_LEXEMES_MAX = 256 };

typedef enum bw_lexeme_kind {
    BW_LEX_END,
    BW_LEX_UNKNOWN,
    BW_LEX_NUMBER, /* value: the number */
    BW_LEX_COMMA,  /* , */
    BW_LEX_STOP,   /* . ; ! newline */
    BW_LEX_AND,    /* and, while, plus, but */
    BW_LEX_THEN,   /* then, after that */
    BW_LEX_NOT,    /* don't, never */
    BW_LEX_IF,     /* if, when, unless: something that may become true later */
    BW_LEX_BAD,    /* -2, 2.5, minus, or: no order may have that; its clause is not carried out */
    BW_LEX_NOISE,  /* the, please: no meaning */
    BW_LEX_PIECE,  /* piece, unit: before a number, or after a side; value 1: pieces, units */
    BW_LEX_ALL,
    BW_LEX_BOTH, /* the two that were named */
    BW_LEX_OTHERS,
    BW_LEX_EXCEPT, /* value 1: all but */
    BW_LEX_NEAREST,
    BW_LEX_CARRIER,
    BW_LEX_DIRECTION, /* value: bw_war_direction */
    BW_LEX_AHEAD,     /* forward (1), back (-1): as the team sees it */
    BW_LEX_MIDDLE,
    BW_LEX_FAR,     /* all the way */
    BW_LEX_SQUARES, /* squares, steps: follows a number */
    BW_LEX_TO,
    BW_LEX_WITH,
    BW_LEX_MOVE,   /* move, go, send: only the direction or target matters */
    BW_LEX_ACT,    /* value: bw_act */
    BW_LEX_STANCE, /* aggressive, defensive: a verb for all pieces; value: bw_act */
    BW_LEX_OUT,    /* out of jail: marks the pieces to be rescued */
    BW_LEX_FLAG,
    BW_LEX_KEY,
    BW_LEX_HOME,
    BW_LEX_EDGE,
    BW_LEX_COLUMN,
    BW_LEX_ROW,
    BW_LEX_OWN,
    BW_LEX_ENEMY,
    BW_LEX_TEAM, /* value: bw_war_team */
    BW_LEX_ROUNDS,
    BW_LEX_IN,
    BW_LEX_AFTER,
    BW_LEX_FOR,
    BW_LEX_NOW,
    BW_LEX_NEXT,
    BW_LEX_UNTIL, /* until told */
} bw_lexeme_kind;

/* What a verb means. */
typedef enum bw_act {
    BW_ACT_GO, /* goes to its target; the enemy flag if none is named */
    BW_ACT_RETREAT,
    BW_ACT_GUARD,
    BW_ACT_HUNT,
    BW_ACT_RESCUE,
    BW_ACT_HOLD,
    BW_ACT_CANCEL,
    BW_ACT_DISTRACT,
    BW_ACT_SNEAK,
    BW_ACT_STEP, /* a direction and a distance, without a verb */
} bw_act;

typedef struct bw_lexeme {
    uint8_t kind;
    int16_t value;
    uint16_t from, to; /* bytes of the text */
} bw_lexeme;

/* Fills `lexemes` (BW_LEXEMES_MAX of them; the last is END). Returns false if the text was too long: the rest is
 * left out. */
bool bw_lex(const char *text, bw_lexeme *lexemes);

#endif
