/* All wire types, in the order in which they are printed: the rooms' messages, then each listed game's settings,
 * messages that start it, state, its part of `you`, statistics, actions and events. A type is printed once, before
 * the types that use it. */
#ifndef BW_CLI_WIRE_H
#define BW_CLI_WIRE_H

#include "cli/cli.h"

typedef enum wire_part {
    WIRE_CONFIG,
    WIRE_OPENINGS,
    WIRE_STATE,
    WIRE_YOU,
    WIRE_STATS,
    WIRE_ACTIONS,
    WIRE_EVENTS,
    WIRE_PARTS
} wire_part;

/* Names of the parts, as in `GameWire['config']`. */
extern const char *const wire_part_names[WIRE_PARTS];

/* A game's part: one of the two is set, or neither if the game has none. */
typedef struct wire_type {
    const bw_schema *schema;
    const bw_union *choice;
} wire_type;
wire_type wire_of(const bw_game *game, wire_part part);

typedef void wire_struct_printer(const bw_schema *schema);
typedef void wire_union_printer(const bw_union *choice);

/* The i-th listed game, and the i-th type of the rooms; NULLs past the end. */
const bw_game *wire_game(int index);
wire_type wire_room_type(int index);

/* A set of schemas. */
enum { WIRE_SCHEMAS = 512 };
typedef struct wire_set {
    const bw_schema *schemas[WIRE_SCHEMAS];
    int count;
} wire_set;
/* Calls `print` for every schema that a type consists of and that is not in the set yet, inner ones first. */
void wire_each(wire_set *set, wire_type type, wire_struct_printer *print);
/* Calls one of the two for every type, in order. */
void wire_every(wire_struct_printer *print_struct, wire_union_printer *print_union);

/* "bw_flag_war_state" -> "FlagWarState". */
void wire_name(const char *c_name, char *name, size_t cap);
/* The value of a map entry that has only key and value, else NULL. */
const bw_field *wire_map_value(const bw_field *field);
static inline bool wire_is_nothing(const bw_schema *schema) { return schema == &bw_nothing_schema; }

void schema_typescript(void);
void schema_json(void);
void schema_markdown(void);

#endif
