/* Wire types as tables for docs/PROTOCOL.md. */
#include "cli/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A cell of a table: `|` must be escaped. */
static void cell(const char *text) {
    for (; text && *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

static void names(const bw_names *list) {
    for (int i = 0; i < list->count; i++) printf("%s`\"%s\"`", i ? ", " : "", list->names[i]);
}

static void item(const bw_field *field) {
    char name[96];
    switch (field->kind) {
    case BW_KIND_INT:
        printf("%" PRId64 " .. %" PRId64, field->lo, field->hi);
        if (field->names) fputs(" or ", stdout), names(field->names);
        break;
    case BW_KIND_BOOL: fputs("boolean", stdout); break;
    case BW_KIND_ENUM: names(field->names); break;
    case BW_KIND_BYTES:
    case BW_KIND_TEXT:
        printf("text, %" PRId64 " .. %" PRId64 " characters%s", field->lo, field->hi,
               field->takes_number ? ", or a whole number" : "");
        break;
    case BW_KIND_STRUCT:
        wire_name(field->schema->name, name, sizeof name);
        printf("[%s](#%s)", name, name);
        break;
    case BW_KIND_RAW: putchar('`'), cell(field->raw_type), putchar('`'); break;
    }
}

static void type_of(const bw_field *field) {
    switch (field->shape) {
    case BW_SHAPE_ONE: break;
    case BW_SHAPE_ARRAY: printf("list of up to %u: ", field->cap); break;
    case BW_SHAPE_GRID: printf("rows of columns, up to %u x %u: ", field->cap, field->cols_cap); break;
    case BW_SHAPE_MAP: fputs("by key: ", stdout); break;
    }
    if (field->shape == BW_SHAPE_MAP && wire_map_value(field)) type_of(wire_map_value(field));
    else item(field);
    if (field->presence == BW_PRESENCE_NULLABLE) fputs(", or null", stdout);
}

static void row(const bw_field *field) {
    printf("| `%s`%s | ", field->name, field->presence == BW_PRESENCE_OPTIONAL ? "?" : "");
    type_of(field);
    fputs(" | ", stdout);
    cell(field->doc);
    puts(" |");
}

static void rows(const bw_schema *schema) {
    puts("| field | value | meaning |\n|---|---|---|");
    for (int i = 0; i < schema->count; i++) row(&schema->fields[i]);
}

static void settings(const bw_game *game) {
    char json[8192];
    bw_out out = bw_out_to(json, sizeof json);
    bw_encode(&out, game->config, game->defaults);
    bw_doc doc;
    bool good = cli_json(json, out.length, 8, &doc, NULL);
    puts("Settings:\n\n| setting | value | default | meaning |\n|---|---|---|---|");
    for (int i = 0; i < game->config->count; i++) {
        const bw_field *field = &game->config->fields[i];
        int token = good ? bw_doc_member(&doc, 0, field->name) : -1;
        printf("| `%s` | ", field->name);
        type_of(field);
        fputs(" | ", stdout);
        if (token >= 0) {
            bw_raw raw = bw_doc_raw(&doc, token);
            printf("`%.*s`", (int)raw.length, raw.at);
        }
        fputs(" | ", stdout);
        if (field->title) printf("%s: ", field->title);
        cell(field->doc);
        if (field->unit) printf(" (%s)", field->unit);
        puts(" |");
    }
    free(doc.tokens);
}

static void flags(uint32_t set) {
    if (set & BW_ACTION_DRAFT) fputs(" Staged: nobody else sees it yet.", stdout);
    if (set & BW_ACTION_COMMIT) fputs(" Plays what is staged.", stdout);
    if (set & BW_ACTION_REOPENS) fputs(" Also allowed after the end.", stdout);
    if (set & BW_ACTION_CLOCK) fputs(" Only in game files: played by the clock.", stdout);
}

static void cases(const bw_union *choice) {
    puts("| `type` | fields | meaning |\n|---|---|---|");
    for (int i = 0; i < choice->count; i++) {
        const bw_case *c = &choice->cases[i];
        printf("| `%s` | ", c->name);
        for (int k = 0; k < c->schema->count && !wire_is_nothing(c->schema); k++) {
            const bw_field *field = &c->schema->fields[k];
            printf("%s`%s`%s: ", k ? "; " : "", field->name, field->presence == BW_PRESENCE_OPTIONAL ? "?" : "");
            type_of(field);
        }
        fputs(" | ", stdout);
        cell(c->doc);
        flags(c->flags);
        puts(" |");
    }
}

/* Nested structs get a heading of their own, so that tables can link to them. */
static const bw_schema *outermost;
static void inner(const bw_schema *schema) {
    if (schema == outermost) return;
    char name[96];
    wire_name(schema->name, name, sizeof name);
    printf("\n<a id=\"%s\"></a>**%s**: %s\n\n", name, name, schema->doc ? schema->doc : "");
    rows(schema);
}

static void inner_of_fields(wire_set *set, const bw_schema *schema) {
    for (int i = 0; i < schema->count; i++) {
        if (schema->fields[i].schema) {
            wire_each(set, (wire_type){.schema = schema->fields[i].schema}, inner);
        }
    }
}

static void inner_of(wire_set *set, wire_type type) {
    outermost = type.schema;
    if (type.schema) inner_of_fields(set, type.schema);
    for (int i = 0; type.choice && i < type.choice->count; i++) {
        inner_of_fields(set, type.choice->cases[i].schema);
    }
}

static void print_game(wire_set *set, const bw_game *game) {
    printf("\n## %s (`%s`, rules version %u)\n\n%s\n\nRoles: ", game->title, game->id, game->rules_version,
           game->summary);
    for (int i = 0; i < game->role_count; i++) {
        const bw_role *role = &game->roles[i];
        printf("%s`%s`", i ? ", " : "", role->id);
        if (role->alias) printf(" (also `%s`)", role->alias);
    }
    puts(".\n");
    settings(game);
    if (game->openings) {
        puts("\nMessages that change settings and start the game:\n");
        cases(game->openings);
    }
    puts("\nFields of `state`:\n");
    rows(game->view);
    if (game->you) {
        puts("\nFields of `you`:\n");
        rows(game->you);
    }
    puts("\nActions:\n");
    cases(game->actions);
    puts("\nEvents:\n");
    cases(game->events);
    puts("\n`game_over.stats`:\n");
    rows(game->stats);
    for (int part = 0; part < WIRE_PARTS; part++) inner_of(set, wire_of(game, (wire_part)part));
    if (game->refusal_count) puts("\nRefusals (`illegal`):\n");
    for (int i = 0; i < game->refusal_count; i++) printf("- %s\n", game->refusals[i]);
}

void schema_markdown(void) {
    static wire_set set;
    char name[96];
    puts("# Messages and types");
    for (int i = 0;; i++) {
        wire_type type = wire_room_type(i);
        if (!type.schema && !type.choice) break;
        wire_name(type.schema ? type.schema->name : type.choice->name, name, sizeof name);
        printf("\n<a id=\"%s\"></a>**%s**", name, name);
        if (type.schema && type.schema->doc) printf(": %s", type.schema->doc);
        puts("\n");
        if (type.schema) rows(type.schema);
        else cases(type.choice);
        inner_of(&set, type);
    }
    for (int i = 0; wire_game(i); i++) print_game(&set, wire_game(i));
}
