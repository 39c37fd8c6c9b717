/* Wire types as JSON Schema, draft 2020-12. */
#include "cli/wire.h"

#include <inttypes.h>
#include <string.h>

static bool first_definition;

static void string(const char *text) {
    char memory[4096];
    bw_out out = bw_out_to(memory, sizeof memory);
    bw_out_string(&out, text);
    fwrite(memory, 1, out.length, stdout);
}

static void names(const bw_names *list) {
    fputs("{\"enum\": [", stdout);
    for (int i = 0; i < list->count; i++) printf("%s\"%s\"", i ? ", " : "", list->names[i]);
    fputs("]}", stdout);
}

static void reference(const bw_schema *schema) {
    char name[96];
    if (wire_is_nothing(schema)) {
        fputs("{\"type\": \"object\"}", stdout);
        return;
    }
    wire_name(schema->name, name, sizeof name);
    printf("{\"$ref\": \"#/$defs/%s\"}", name);
}

static void item(const bw_field *field) {
    switch (field->kind) {
    case BW_KIND_INT:
        if (field->names) fputs("{\"anyOf\": [", stdout);
        printf("{\"type\": \"integer\", \"minimum\": %" PRId64 ", \"maximum\": %" PRId64 "}", field->lo, field->hi);
        if (field->names) fputs(", ", stdout), names(field->names), fputs("]}", stdout);
        break;
    case BW_KIND_BOOL: fputs("{\"type\": \"boolean\"}", stdout); break;
    case BW_KIND_ENUM: names(field->names); break;
    case BW_KIND_BYTES:
    case BW_KIND_TEXT:
        if (field->takes_number) fputs("{\"anyOf\": [{\"type\": \"integer\"}, ", stdout);
        printf("{\"type\": \"string\", \"minLength\": %" PRId64 ", \"maxLength\": %" PRId64 "}", field->lo, field->hi);
        if (field->takes_number) fputs("]}", stdout);
        break;
    case BW_KIND_STRUCT: reference(field->schema); break;
    case BW_KIND_RAW: fputs("true", stdout); break;
    }
}

static void value(const bw_field *field);

static void map_entry(const bw_field *field) {
    const bw_field *only = wire_map_value(field);
    if (only) {
        value(only);
        return;
    }
    /* The key is outside: writes the entry's other fields. */
    fputs("{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", stdout);
    for (int i = 1; i < field->schema->count; i++) {
        printf("%s\"%s\": ", i > 1 ? ", " : "", field->schema->fields[i].name);
        value(&field->schema->fields[i]);
    }
    fputs("}}", stdout);
}

static void value(const bw_field *field) {
    bool nullable = field->presence == BW_PRESENCE_NULLABLE;
    if (nullable) fputs("{\"anyOf\": [{\"type\": \"null\"}, ", stdout);
    switch (field->shape) {
    case BW_SHAPE_ONE: item(field); break;
    case BW_SHAPE_ARRAY:
        printf("{\"type\": \"array\", \"maxItems\": %u, \"items\": ", field->cap);
        item(field);
        putchar('}');
        break;
    case BW_SHAPE_GRID:
        printf("{\"type\": \"array\", \"maxItems\": %u, \"items\": {\"type\": \"array\", \"maxItems\": %u, \"items\": ",
               field->cap, field->cols_cap);
        item(field);
        fputs("}}", stdout);
        break;
    case BW_SHAPE_MAP:
        printf("{\"type\": \"object\", \"maxProperties\": %u, \"additionalProperties\": ", field->cap);
        map_entry(field);
        putchar('}');
        break;
    }
    if (nullable) fputs("]}", stdout);
}

static void define(const char *c_name) {
    char name[96];
    wire_name(c_name, name, sizeof name);
    printf("%s\n    \"%s\": ", first_definition ? "" : ",", name);
    first_definition = false;
}

/* The properties of a struct, preceded by `type` if `tag` is given. */
static void object(const bw_schema *schema, const char *tag, const char *about) {
    fputs("{\"type\": \"object\", \"description\": ", stdout);
    string(about ? about : "");
    fputs(", \"additionalProperties\": false, \"properties\": {", stdout);
    bool first = true;
    if (tag) printf("\n      \"type\": {\"const\": \"%s\"}", tag), first = false;
    int count = wire_is_nothing(schema) ? 0 : schema->count;
    for (int i = 0; i < count; i++) {
        const bw_field *field = &schema->fields[i];
        printf("%s\n      \"%s\": {", first ? "" : ",", field->name);
        if (field->title) printf("\"title\": \"%s\", ", field->title);
        fputs("\"description\": ", stdout);
        string(field->doc ? field->doc : "");
        fputs(", \"allOf\": [", stdout);
        value(field);
        fputs("]}", stdout);
        first = false;
    }
    fputs("}, \"required\": [", stdout);
    first = !tag;
    if (tag) fputs("\"type\"", stdout);
    for (int i = 0; i < count; i++) {
        if (schema->fields[i].presence == BW_PRESENCE_OPTIONAL) continue;
        printf("%s\"%s\"", first ? "" : ", ", schema->fields[i].name);
        first = false;
    }
    fputs("]}", stdout);
}

static void print(const bw_schema *schema) {
    define(schema->name);
    object(schema, NULL, schema->doc);
}

static void print_union(const bw_union *choice) {
    define(choice->name);
    fputs("{\"oneOf\": [", stdout);
    for (int i = 0; i < choice->count; i++) {
        if (i) fputs(", ", stdout);
        object(choice->cases[i].schema, choice->cases[i].name, choice->cases[i].doc);
    }
    fputs("]}", stdout);
}

void schema_json(void) {
    first_definition = true;
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "  \"title\": \"Boardwalk's wire types\",\n"
          "  \"description\": \"Generated by `boardwalk schema --json`. Settings may leave out any field. Before the "
          "start a field of a state may be null if its description says so.\",\n"
          "  \"$defs\": {",
          stdout);
    wire_every(print, print_union);
    puts("\n  }\n}");
}
