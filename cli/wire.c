#include "cli/wire.h"

#include "rooms/view/messages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const wire_part_names[WIRE_PARTS] = {"config", "opening", "state", "you", "stats", "action", "event"};

wire_type wire_of(const bw_game *game, wire_part part) {
    switch (part) {
    case WIRE_CONFIG: return (wire_type){.schema = game->config};
    case WIRE_OPENINGS: return (wire_type){.choice = game->openings};
    case WIRE_STATE: return (wire_type){.schema = game->view};
    case WIRE_YOU: return (wire_type){.schema = game->you};
    case WIRE_STATS: return (wire_type){.schema = game->stats};
    case WIRE_ACTIONS: return (wire_type){.choice = game->actions};
    case WIRE_EVENTS: return (wire_type){.choice = game->events};
    case WIRE_PARTS: break;
    }
    return (wire_type){0};
}

const bw_game *wire_game(int index) {
    for (int i = 0; bw_game_at(i); i++) {
        if (bw_game_listed(bw_game_at(i)) && index-- == 0) return bw_game_at(i);
    }
    return NULL;
}

wire_type wire_room_type(int index) {
    switch (index) {
    case 0: return (wire_type){.choice = &bw_client_message_union};
    case 1: return (wire_type){.schema = &bw_state_schema};
    case 2: return (wire_type){.schema = &bw_state_clock_schema};
    case 3: return (wire_type){.schema = &bw_state_ready_schema};
    case 4: return (wire_type){.choice = &bw_server_message_union};
    default: return (wire_type){0};
    }
}

static void each(wire_set *set, const bw_schema *schema, wire_struct_printer *print) {
    for (int i = 0; i < set->count; i++) {
        if (set->schemas[i] == schema) return;
    }
    if (set->count == WIRE_SCHEMAS) {
        fputs("boardwalk: more wire types than WIRE_SCHEMAS.\n", stderr);
        exit(CLI_NO);
    }
    set->schemas[set->count++] = schema;
    for (int i = 0; i < schema->count; i++) {
        if (schema->fields[i].schema) each(set, schema->fields[i].schema, print);
    }
    if (!wire_is_nothing(schema)) print(schema);
}

void wire_each(wire_set *set, wire_type type, wire_struct_printer *print) {
    if (type.schema) each(set, type.schema, print);
    for (int i = 0; type.choice && i < type.choice->count; i++) {
        each(set, type.choice->cases[i].schema, print);
    }
}

void wire_every(wire_struct_printer *print_struct, wire_union_printer *print_union) {
    wire_set set = {.count = 0};
    int rooms = 0;
    for (wire_type type; type = wire_room_type(rooms), type.schema || type.choice; rooms++) {
        wire_each(&set, type, print_struct);
        if (type.choice) print_union(type.choice);
    }
    for (int i = 0; wire_game(i); i++) {
        for (int part = 0; part < WIRE_PARTS; part++) {
            wire_type type = wire_of(wire_game(i), (wire_part)part);
            wire_each(&set, type, print_struct);
            if (type.choice) print_union(type.choice);
        }
    }
}

void wire_name(const char *c_name, char *name, size_t cap) {
    size_t length = 0;
    bool up = true;
    if (strncmp(c_name, "bw_", 3) == 0) c_name += 3;
    for (; *c_name && length + 1 < cap; c_name++) {
        if (*c_name == '_') {
            up = true;
            continue;
        }
        name[length++] = up ? (char)toupper((unsigned char)*c_name) : *c_name;
        up = false;
    }
    name[length] = '\0';
}

const bw_field *wire_map_value(const bw_field *field) {
    const bw_schema *entry = field->schema;
    return entry->count == 2 && strcmp(entry->fields[1].name, "value") == 0 ? &entry->fields[1] : NULL;
}
