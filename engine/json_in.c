/* JSON in, second half: the strict walk over a schema that fills a struct from tokens. */
#include <string.h>

#include "engine/json.h"
#include "engine/text.h"
#include "engine/visible.h"

int bw_case_find(const bw_union *u, const char *name) {
    for (int i = 0; i < u->count; i++) {
        const char *other = u->cases[i].name;
        if (*other == *name && bw_same(other, name)) return i;
    }
    return -1;
}

int bw_names_find(const bw_names *names, const char *name) {
    for (int i = 0; i < names->count; i++) {
        if (bw_same(names->names[i], name)) return i;
    }
    return -1;
}

typedef struct place {
    const bw_doc *doc;
    unsigned char *value; /* the struct being filled */
    bw_error_text *error;
} place;

static int decode_members(const bw_schema *schema, const place *in, int object, unsigned flags,
                          const char *const *also);

static void list_names(bw_out *out, const bw_names *names) {
    for (int i = 0; i < names->count; i++) {
        bw_out_format(out, "%s\"%s\"", i == 0 ? "" : ", ", names->names[i]);
    }
}

static void list_fields(bw_out *out, const bw_schema *schema) {
    for (uint32_t i = 0; i < schema->count; i++) {
        bw_out_format(out, "%s\"%s\"", i == 0 ? "" : ", ", schema->fields[i].name);
    }
}

/* `"level" must be ...` */
static int refuse(const bw_field *field, const place *in) {
    char wanted[180];
    bw_out out = bw_out_to(wanted, sizeof wanted - 1);
    switch (field->kind) {
    case BW_KIND_INT:
        bw_out_format(&out, "a whole number from %" PRId64 " to %" PRId64, field->lo, field->hi);
        if (field->names) {
            bw_out_text(&out, ", or ");
            list_names(&out, field->names);
        }
        break;
    case BW_KIND_BOOL: bw_out_text(&out, "true or false"); break;
    case BW_KIND_ENUM:
        bw_out_text(&out, "one of ");
        list_names(&out, field->names);
        break;
    case BW_KIND_BYTES: bw_out_format(&out, "%" PRId64 " hexadecimal digits", field->hi); break;
    case BW_KIND_TEXT:
        bw_out_text(&out, field->takes_number ? "a whole number or text of " : "text of ");
        if (field->lo < field->hi) {
            bw_out_format(&out, "%" PRId64 " to ", field->lo);
        }
        bw_out_format(&out, "%" PRId64 " characters", field->hi);
        break;
    default:
        bw_out_text(&out, "an object with ");
        if (field->schema) list_fields(&out, field->schema);
        break;
    }
    wanted[out.length] = 0;
    if (field->shape == BW_SHAPE_ARRAY) {
        bw_fail(in->error, "\"", field->name, "\" must be a list of at most ", bw_digits_of(field->cap).text, ", each ",
                wanted, ".", NULL);
    } else {
        bw_fail(in->error, "\"", field->name, "\" must be ", wanted,
                field->presence == BW_PRESENCE_NULLABLE ? ", or null." : ".", NULL);
    }
    return BW_JSON_MISMATCH;
}

static int decode_int(const bw_field *field, const place *in, int token, unsigned char *item) {
    int64_t number;
    char name[40];
    if (field->names && bw_doc_text(in->doc, token, name, sizeof name) >= 0) {
        int index = bw_names_find(field->names, name);
        if (index < 0) return refuse(field, in);
        number = -(index + 1);
    } else if (!bw_doc_int(in->doc, token, &number) || number < field->lo || number > field->hi) {
        return refuse(field, in);
    }
    memcpy(item, &number, field->item_size); /* little-endian, like everything stored */
    return 0;
}

static int decode_text(const bw_field *field, const place *in, int token, unsigned char *item) {
    char *text = (char *)item;
    int64_t number, points = 0;
    if (field->takes_number && bw_doc_int(in->doc, token, &number)) {
        bw_out out = bw_out_to(text, field->item_size - 1);
        bw_out_int(&out, number);
        if (out.overflow) return refuse(field, in);
        text[out.length] = 0;
    } else if (bw_doc_text(in->doc, token, text, field->item_size) < 0) {
        return refuse(field, in);
    }
    for (const char *at = text; *at; at++) points += ((unsigned char)*at & 0xc0) != 0x80;
    return points < field->lo || points > field->hi ? refuse(field, in) : 0;
}

bool bw_hex_read(const char *text, size_t length, uint8_t *bytes, size_t count) {
    if (length != 2 * count) return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (value < 0) return false;
        bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] << 4 | value : value);
    }
    return true;
}

static int decode_bytes(const bw_field *field, const place *in, int token, unsigned char *item) {
    bw_raw raw = bw_doc_raw(in->doc, token);
    bool text = in->doc->tokens[token].type == JSMN_STRING;
    return text && bw_hex_read(raw.at, raw.length, item, field->item_size) ? 0 : refuse(field, in);
}

static int decode_item(const bw_field *field, const place *in, int token, unsigned char *item) {
    char name[64];
    switch (field->kind) {
    case BW_KIND_INT: return decode_int(field, in, token, item);
    case BW_KIND_BOOL: return bw_doc_bool(in->doc, token, (bool *)item) ? 0 : refuse(field, in);
    case BW_KIND_ENUM: {
        int index = bw_doc_text(in->doc, token, name, sizeof name) >= 0 ? bw_names_find(field->names, name) : -1;
        if (index < 0) return refuse(field, in);
        *item = (uint8_t)index;
        return 0;
    }
    case BW_KIND_TEXT: return decode_text(field, in, token, item);
    case BW_KIND_BYTES: return decode_bytes(field, in, token, item);
    case BW_KIND_STRUCT: {
        if (!bw_doc_is_object(in->doc, token)) return refuse(field, in);
        place inner = {in->doc, item, in->error};
        return decode_members(field->schema, &inner, token, 0, NULL);
    }
    case BW_KIND_RAW: break;
    }
    return refuse(field, in);
}

static int decode_array(const bw_field *field, const place *in, int token, unsigned char *items) {
    const bw_token *list = &in->doc->tokens[token];
    if (list->type != JSMN_ARRAY || (uint32_t)list->size > field->cap) return refuse(field, in);
    uint16_t count = (uint16_t)list->size;
    memcpy(in->value + field->count_offset, &count, sizeof count);
    int item = token + 1;
    for (uint32_t i = 0; i < count; i++) {
        int error = decode_item(field, in, item, items + (size_t)i * field->item_size);
        if (error < 0) return error;
        item = bw_doc_behind(in->doc, item);
    }
    return 0;
}

static int decode_grid(const bw_field *field, const place *in, int token, unsigned char *items) {
    const bw_doc *doc = in->doc;
    int rows = in->value[field->rows_offset], cols = in->value[field->cols_offset];
    bool fits =
        doc->tokens[token].type == JSMN_ARRAY && doc->tokens[token].size == rows && (uint32_t)rows <= field->cap;
    int row = token + 1;
    for (int r = 0; fits && r < rows; r++) {
        fits =
            doc->tokens[row].type == JSMN_ARRAY && doc->tokens[row].size == cols && (uint32_t)cols <= field->cols_cap;
        int item = row + 1;
        for (int c = 0; fits && c < cols; c++) {
            size_t at = ((size_t)r * field->cols_cap + (size_t)c) * field->item_size;
            int error = decode_item(field, in, item, items + at);
            if (error < 0) return error;
            item = bw_doc_behind(doc, item);
        }
        row = bw_doc_behind(doc, row);
    }
    if (!fits) {
        bw_fail(in->error, "\"", field->name, "\" must be ", bw_digits_of(rows).text, " rows of ",
                bw_digits_of(cols).text, " each.", NULL);
        return BW_JSON_MISMATCH;
    }
    return 0;
}

static int decode_value(const bw_field *field, const place *in, int token);

static int decode_entry(const bw_field *map, const place *in, int key, unsigned char *entry) {
    const bw_schema *schema = map->schema;
    place inner = {in->doc, entry, in->error};
    if (bw_doc_text(in->doc, key, (char *)entry + schema->fields[0].offset, schema->fields[0].item_size) < 0) {
        return refuse(map, in);
    }
    if (schema->count == 2 && bw_same(schema->fields[1].name, "value")) {
        return decode_value(&schema->fields[1], &inner, key + 1);
    }
    if (!bw_doc_is_object(in->doc, key + 1)) return refuse(map, in);
    bw_schema rest = *schema;
    rest.fields++, rest.count--;
    return decode_members(&rest, &inner, key + 1, 0, NULL);
}

static int decode_map(const bw_field *field, const place *in, int token, unsigned char *entries) {
    const bw_doc *doc = in->doc;
    if (!bw_doc_is_object(doc, token) || (uint32_t)doc->tokens[token].size > field->cap) {
        return refuse(field, in);
    }
    uint16_t count = (uint16_t)doc->tokens[token].size;
    uint32_t key_offset = field->schema->fields[0].offset;
    int key = token + 1;
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *entry = entries + (size_t)i * field->item_size;
        int error = decode_entry(field, in, key, entry);
        for (uint32_t k = 0; error == 0 && k < i; k++) {
            const char *name = (const char *)entry + key_offset;
            if (bw_same(name, (const char *)entries + (size_t)k * field->item_size + key_offset)) {
                bw_fail(in->error, "\"", name, "\" appears twice in \"", field->name, "\".", NULL);
                error = BW_JSON_MISMATCH;
            }
        }
        if (error < 0) return error;
        key = bw_doc_behind(doc, key + 1);
    }
    memcpy(in->value + field->count_offset, &count, sizeof count);
    return 0;
}

static int decode_value(const bw_field *field, const place *in, int token) {
    unsigned char *item = in->value + field->offset;
    if (field->presence == BW_PRESENCE_NULLABLE && bw_doc_is_null(in->doc, token)) {
        in->value[field->has_offset] = 0;
        return 0;
    }
    if (field->presence != BW_PRESENCE_REQUIRED) in->value[field->has_offset] = 1;
    switch (field->shape) {
    case BW_SHAPE_ARRAY: return decode_array(field, in, token, item);
    case BW_SHAPE_GRID: return decode_grid(field, in, token, item);
    case BW_SHAPE_MAP: return decode_map(field, in, token, item);
    default: return decode_item(field, in, token, item);
    }
}

/* `beside`: other keys that the object may have, which the caller reads. "type" and "id" are not listed: every
 * message may have them. */
static int refuse_unknown(const bw_schema *schema, const char *const *beside, const place *in, int key) {
    char name[48], known[160] = "";
    uint32_t count = schema->count;
    if (bw_doc_text(in->doc, key, name, sizeof name) < 0) {
        bw_fail(in->error, "That field name is too long for any field.", NULL);
        return BW_JSON_MISMATCH;
    }
    bw_out out = bw_out_to(known, sizeof known - 1);
    list_fields(&out, schema);
    for (; beside && *beside; beside++) {
        if (bw_same(*beside, "type") || bw_same(*beside, "id")) continue;
        bw_out_format(&out, "%s\"%s\"", count++ == 0 ? "" : ", ", *beside);
    }
    known[out.length] = 0;
    bw_fail(in->error, "There is no field \"", name, "\" here; ",
            count == 0   ? "no fields are allowed"
            : count == 1 ? "the only field is "
                         : "the fields are ",
            known, ".", NULL);
    return BW_JSON_MISMATCH;
}

/* The index of a key among the fields; past them, among `also`; -1: in neither. */
static int find_key(const bw_schema *schema, const char *const *also, const char *name) {
    for (int i = 0; i < schema->count; i++) {
        const char *field = schema->fields[i].name;
        if (*field == *name && bw_same(field, name)) return i;
    }
    for (int i = 0; also && also[i]; i++) {
        if (bw_same(also[i], name)) return schema->count + i;
    }
    return -1;
}

static int decode_members(const bw_schema *schema, const place *in, int object, unsigned flags,
                          const char *const *also) {
    const bw_doc *doc = in->doc;
    uint64_t seen = 0;
    int key = object + 1;
    for (int n = 0; n < doc->tokens[object].size; n++, key = bw_doc_behind(doc, key + 1)) {
        char name[64];
        int index = bw_doc_text(doc, key, name, sizeof name) >= 0 ? find_key(schema, also, name) : -1;
        if (index < 0 && flags & BW_DECODE_OTHERS) continue;
        if (index < 0 || index > 63) return refuse_unknown(schema, also, in, key);
        if (seen >> index & 1) {
            bw_fail(in->error, "\"", name, "\" appears twice.", NULL);
            return BW_JSON_MISMATCH;
        }
        seen |= (uint64_t)1 << index;
        int error = index < schema->count ? decode_value(&schema->fields[index], in, key + 1) : 0;
        if (error < 0) return error;
    }
    for (int i = 0; i < schema->count && !(flags & BW_DECODE_PARTIAL); i++) {
        if (!(seen >> i & 1) && schema->fields[i].presence != BW_PRESENCE_OPTIONAL) {
            return refuse(&schema->fields[i], in);
        }
    }
    return 0;
}

int bw_decode(const bw_schema *schema, const bw_doc *doc, int object, void *value, unsigned flags,
              const char *const *also, bw_error_text *why) {
    if (!bw_doc_is_object(doc, object)) {
        bw_fail(why, "This must be a JSON object.", NULL);
        return BW_JSON_MISMATCH;
    }
    if (!(flags & BW_DECODE_PARTIAL)) memset(value, 0, schema->size);
    place in = {doc, value, why};
    return decode_members(schema, &in, object, flags, also);
}

int bw_decode_case(const bw_union *u, int which, const bw_doc *doc, int object, void *value, const char *const *also,
                   bw_error_text *why) {
    memset(value, 0, u->size);
    *(uint8_t *)value = (uint8_t)which;
    return bw_decode(u->cases[which].schema, doc, object, (unsigned char *)value + u->body_offset, 0, also, why);
}

int bw_decode_union(const bw_union *u, const bw_doc *doc, int object, void *value, const char *const *also,
                    bw_error_text *why) {
    static const char *const only_type[] = {"type", NULL};
    char name[40];
    int type = bw_doc_member(doc, object, "type");
    int which = bw_doc_text(doc, type, name, sizeof name) >= 0 ? bw_case_find(u, name) : -1;
    if (which < 0) {
        bw_fail(why, "\"type\" must name one of the messages of this game.", NULL);
        return BW_JSON_UNKNOWN_TYPE;
    }
    return bw_decode_case(u, which, doc, object, value, also ? also : only_type, why);
}

/* ---- text from people ---- */

bool bw_doc_is_plain(const bw_doc *doc, const char *blank_is_none, bw_error_text *why) {
    char text[4096];
    size_t simple = 0; /* plain ASCII without escapes has no control or format characters */
    while (simple < doc->length && doc->text[simple] != '\\' && (unsigned char)doc->text[simple] < 0x7f) simple++;
    if (simple == doc->length) return true;
    for (int i = 1; i < doc->count; i++) {
        /* The token before a value is its key. */
        if (doc->tokens[i].type != JSMN_STRING || bw_doc_text(doc, i, text, sizeof text) < 0) continue;
        if (bw_text_is_plain(text)) continue;
        char key[64];
        bool named = doc->tokens[i - 1].type == JSMN_STRING && doc->tokens[i - 1].size == 1 &&
                     bw_doc_text(doc, i - 1, key, sizeof key) >= 0 && bw_text_is_plain(key);
        if (named && blank_is_none && bw_same(key, blank_is_none) && !bw_text_is_seen(text)) continue;
        return bw_fail(why, named ? "\"" : "A text", named ? key : "", named ? "\"" : "",
                       " must contain visible characters only: leave out control and format characters.", NULL);
    }
    return true;
}
