/* JSON out: writing, and the walks over a schema that read a struct: is it within its declaration, its text, what changed. */
#include "engine/json.h"

#include <stdarg.h>
#include <string.h>

#include "engine/text.h"

bw_out bw_out_to(char *memory, size_t cap) { return (bw_out){.at = memory, .cap = cap}; }

/* Where the next `length` bytes go; NULL: they do not fit. */
static char *next(bw_out *out, size_t length) {
    if (out->overflow || length > out->cap - out->length) {
        out->overflow = true;
        return NULL;
    }
    out->length += length;
    return out->at + out->length - length;
}

void bw_out_bytes(bw_out *out, const char *bytes, size_t length) {
    char *at = next(out, length);
    if (at) memcpy(at, bytes, length);
}

void bw_out_text(bw_out *out, const char *text) {
    /* Local copies: the compiler must assume that a byte written through `at` changes `out`. */
    char *at = out->at + out->length, *end = out->at + out->cap;
    while (*text && at < end) *at++ = *text++;
    if (*text) out->overflow = true;
    else if (!out->overflow) out->length = (size_t)(at - out->at);
}

void bw_out_int(bw_out *out, int64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) digits[--at] = '-'; /* the smallest has 19 digits */
    bw_out_bytes(out, digits + at, sizeof digits - at);
}

static const char HEX[] = "0123456789abcdef";

static void put_hex(char *at, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; at && i < length; i++) {
        *at++ = HEX[bytes[i] >> 4];
        *at++ = HEX[bytes[i] & 15];
    }
}

void bw_out_hex(bw_out *out, const uint8_t *bytes, size_t length) { put_hex(next(out, 2 * length), bytes, length); }

int bw_utf8_length(const char *at, size_t left) {
    unsigned char lead = left > 0 ? (unsigned char)*at : 0xff;
    int more = lead < 0x80 ? 0 : lead < 0xc2 || lead > 0xf4 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    unsigned low = 0x80, high = 0xbf; /* of the next byte */
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    for (int i = 1; i <= more; i++, low = 0x80, high = 0xbf) {
        if ((size_t)i == left || (unsigned char)at[i] < low || (unsigned char)at[i] > high) return 0;
    }
    return more + 1;
}

/* How many of the first bytes stand for themselves in a JSON string. */
static size_t plain_bytes(const char *text) {
    size_t length = 0;
    while ((unsigned char)text[length] >= 0x20 && (unsigned char)text[length] < 0x80 && text[length] != '"' &&
           text[length] != '\\') {
        length++;
    }
    return length;
}

/* The content of a JSON string, without the quotation marks. */
static void write_escaped(bw_out *out, const char *text) {
    for (;;) {
        size_t plain = plain_bytes(text);
        bw_out_bytes(out, text, plain);
        text += plain;
        const unsigned char c = (unsigned char)*text;
        if (!c) break;
        if (c == '"' || c == '\\') {
            char pair[2] = {'\\', *text++};
            bw_out_bytes(out, pair, 2);
        } else if (c < 0x20) {
            char escape[6] = {'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]};
            bw_out_bytes(out, escape, 6);
            text++;
        } else {
            int length = bw_utf8_length(text, 4);
            if (length == 0) {
                bw_out_text(out, "\xef\xbf\xbd");
                text++;
            } else {
                bw_out_bytes(out, text, (size_t)length);
                text += length;
            }
        }
    }
}

void bw_out_string(bw_out *out, const char *text) {
    if (!text) {
        bw_out_text(out, "null");
        return;
    }
    size_t plain = plain_bytes(text);
    if (text[plain]) {
        bw_out_text(out, "\"");
        write_escaped(out, text);
        bw_out_text(out, "\"");
        return;
    }
    char *at = next(out, plain + 2);
    if (!at) return;
    *at++ = '"';
    memcpy(at, text, plain);
    at[plain] = '"';
}

void bw_out_format(bw_out *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    for (const char *at = format; *at; at++) {
        const char *run = at;
        while (*at && *at != '%') at++;
        bw_out_bytes(out, run, (size_t)(at - run));
        if (!*at) break;
        int longs = 0;
        while (*++at == 'l') longs++;
        if (*at == '%') bw_out_bytes(out, at, 1);
        else if (*at == 's')
            (at - 1 > format && at[-2] == '"' ? write_escaped : bw_out_text)(out, va_arg(values, const char *));
        else if (longs == 2) bw_out_int(out, va_arg(values, long long));
        else if (longs == 1) bw_out_int(out, va_arg(values, long));
        else if (*at == 'u') bw_out_int(out, va_arg(values, unsigned));
        else bw_out_int(out, va_arg(values, int));
    }
    va_end(values);
}

/* Not NULL: walks over a schema's fields add an offset to this pointer, even if it is 0. */
static const bw_field none[1];

const bw_schema bw_nothing_schema = {
    .name = "bw_nothing", .doc = "no fields", .size = sizeof(bw_nothing), .count = 0, .fields = none};

/* ---- values as memory ---- */

/* Little-endian, like everything stored. */
static int64_t int_at(const bw_field *field, const void *item) {
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    int64_t whole;
    switch (field->item_size) {
    case 1: memcpy(&byte, item, 1); return field->is_signed ? (int8_t)byte : byte;
    case 2: memcpy(&half, item, 2); return field->is_signed ? (int16_t)half : half;
    case 4: memcpy(&word, item, 4); return field->is_signed ? (int32_t)word : (int64_t)word;
    default: memcpy(&whole, item, 8); return whole;
    }
}

static bool item_fits(const bw_field *field, const unsigned char *at) {
    switch (field->kind) {
    case BW_KIND_INT: {
        int64_t value = int_at(field, at);
        bool named = field->names && value < 0 && value >= -(int64_t)field->names->count;
        return named || (value >= field->lo && value <= field->hi);
    }
    case BW_KIND_BOOL: return *at <= 1; /* reading any other value as a bool is undefined */
    case BW_KIND_ENUM: return *at < field->names->count;
    case BW_KIND_TEXT:
        for (uint32_t i = 0; i < field->item_size; i++) {
            if (at[i] == 0) return true;
        }
        return false;
    case BW_KIND_STRUCT: return bw_schema_fits(field->schema, at);
    case BW_KIND_BYTES:
    case BW_KIND_RAW: break;
    }
    return true;
}

static bool field_fits(const bw_field *field, const unsigned char *base) {
    uint32_t rows = 1, cols = 1;
    uint16_t count;
    if (field->presence != BW_PRESENCE_REQUIRED) {
        if (base[field->has_offset] != 1) return base[field->has_offset] == 0;
    }
    if (field->shape == BW_SHAPE_ARRAY || field->shape == BW_SHAPE_MAP) {
        memcpy(&count, base + field->count_offset, sizeof count);
        rows = count;
    } else if (field->shape == BW_SHAPE_GRID) {
        rows = base[field->rows_offset];
        cols = base[field->cols_offset];
        if (cols > field->cols_cap) return false;
    }
    if (field->shape != BW_SHAPE_ONE && rows > field->cap) return false;
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < cols; c++) {
            size_t at = (field->shape == BW_SHAPE_GRID ? (size_t)r * field->cols_cap + c : r) * field->item_size;
            if (!item_fits(field, base + field->offset + at)) return false;
        }
    }
    return true;
}

bool bw_schema_fits(const bw_schema *schema, const void *value) {
    for (uint16_t i = 0; i < schema->count; i++) {
        if (!field_fits(&schema->fields[i], value)) return false;
    }
    return true;
}

bool bw_union_fits(const bw_union *u, const void *value) {
    const unsigned char *base = value;
    return *base < u->count && bw_schema_fits(u->cases[*base].schema, base + u->body_offset);
}

/* ---- structs as text ---- */

static uint16_t count_of(const bw_field *field, const unsigned char *value) {
    uint16_t count;
    memcpy(&count, value + field->count_offset, sizeof count);
    return count < field->cap ? count : (uint16_t)field->cap;
}

static bool is_there(const bw_field *field, const unsigned char *value) {
    return field->presence == BW_PRESENCE_REQUIRED || value[field->has_offset] != 0;
}

static void encode_item(bw_out *out, const bw_field *field, const void *item) {
    switch (field->kind) {
    case BW_KIND_INT: {
        int64_t number = int_at(field, item);
        if (field->names && number < 0 && -(number + 1) < field->names->count) {
            bw_out_string(out, field->names->names[-(number + 1)]);
        } else {
            bw_out_int(out, number);
        }
        break;
    }
    case BW_KIND_BOOL: bw_out_text(out, bw_true(*(const unsigned char *)item)); break;
    case BW_KIND_ENUM: {
        uint8_t index = *(const uint8_t *)item;
        bw_out_string(out, index < field->names->count ? field->names->names[index] : "");
        break;
    }
    case BW_KIND_TEXT: bw_out_string(out, item); break;
    case BW_KIND_BYTES: {
        char *at = next(out, 2 * (size_t)field->item_size + 2);
        if (!at) break;
        *at++ = '"';
        put_hex(at, item, field->item_size);
        at[2 * (size_t)field->item_size] = '"';
        break;
    }
    case BW_KIND_STRUCT: bw_encode(out, field->schema, item); break;
    case BW_KIND_RAW: {
        const bw_raw *raw = item;
        bw_out_bytes(out, raw->at, raw->length);
        break;
    }
    }
}

/* If a map's entry has no other field than its key and `value`, that field is the entry. */
static const bw_field *sole_value(const bw_schema *entry) {
    const bw_field *second = entry->count == 2 ? &entry->fields[1] : NULL;
    return second && memcmp(second->name, "value", sizeof "value") == 0 ? second : NULL;
}

static void encode_value(bw_out *out, const bw_field *field, const unsigned char *value);

static void encode_entry_value(bw_out *out, const bw_schema *entry_schema, const unsigned char *entry) {
    const bw_field *sole = sole_value(entry_schema);
    if (sole) {
        encode_value(out, sole, entry);
        return;
    }
    bw_schema rest = *entry_schema;
    rest.fields++, rest.count--;
    bw_encode(out, &rest, entry);
}

/* Also writes null. */
static void encode_value(bw_out *out, const bw_field *field, const unsigned char *value) {
    const unsigned char *items = value + field->offset;
    if (!is_there(field, value)) {
        bw_out_text(out, "null");
        return;
    }
    switch (field->shape) {
    case BW_SHAPE_ONE: encode_item(out, field, items); break;
    case BW_SHAPE_ARRAY:
        bw_out_text(out, "[");
        for (uint32_t i = 0, count = count_of(field, value); i < count; i++) {
            if (i > 0) bw_out_bytes(out, ",", 1);
            encode_item(out, field, items + (size_t)i * field->item_size);
        }
        bw_out_text(out, "]");
        break;
    case BW_SHAPE_GRID: {
        uint32_t rows = value[field->rows_offset], cols = value[field->cols_offset];
        bw_out_text(out, "[");
        for (uint32_t r = 0; r < rows && r < field->cap; r++) {
            bw_out_text(out, r > 0 ? ",[" : "[");
            for (uint32_t c = 0; c < cols && c < field->cols_cap; c++) {
                if (c > 0) bw_out_bytes(out, ",", 1);
                encode_item(out, field, items + ((size_t)r * field->cols_cap + c) * field->item_size);
            }
            bw_out_text(out, "]");
        }
        bw_out_text(out, "]");
        break;
    }
    case BW_SHAPE_MAP:
        bw_out_text(out, "{");
        for (uint32_t i = 0, count = count_of(field, value); i < count; i++) {
            const unsigned char *entry = items + (size_t)i * field->item_size;
            bw_out_bytes(out, ",", i > 0);
            bw_out_string(out, (const char *)entry + field->schema->fields[0].offset);
            bw_out_text(out, ":");
            encode_entry_value(out, field->schema, entry);
        }
        bw_out_text(out, "}");
        break;
    }
}

static void open_member(bw_out *out, const bw_field *field, int before) {
    int comma = before > 0 ? 0 : 1;
    bw_out_bytes(out, field->key + comma, (size_t)(field->key_length - comma));
}

int bw_encode_members(bw_out *out, const bw_schema *schema, const void *value_, int before) {
    const unsigned char *value = value_;
    for (const bw_field *field = schema->fields; field < schema->fields + schema->count; field++) {
        if (field->presence == BW_PRESENCE_OPTIONAL && !value[field->has_offset]) continue;
        open_member(out, field, before++);
        encode_value(out, field, value);
    }
    return before;
}

void bw_encode(bw_out *out, const bw_schema *schema, const void *value) {
    bw_out_bytes(out, "{", 1);
    bw_encode_members(out, schema, value, 0);
    bw_out_bytes(out, "}", 1);
}

void bw_encode_union(bw_out *out, const bw_union *u, const void *value_) {
    const unsigned char *value = value_;
    const bw_case *kind = &u->cases[*value < u->count ? *value : 0];
    bw_out_bytes(out, kind->opening, kind->opening_length);
    bw_encode_members(out, kind->schema, value + u->body_offset, 1);
    bw_out_bytes(out, "}", 1);
}

void bw_encode_unions(bw_out *out, const bw_union *u, const void *values, uint32_t count) {
    bw_out_text(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i) bw_out_text(out, ",");
        bw_encode_union(out, u, (const char *)values + (size_t)i * u->size);
    }
    bw_out_text(out, "]");
}

/* ---- changes ---- */

static bool same_value(const bw_field *field, const unsigned char *before, const unsigned char *after) {
    const unsigned char *a = before + field->offset, *b = after + field->offset;
    if (field->presence != BW_PRESENCE_REQUIRED) {
        if (before[field->has_offset] != after[field->has_offset]) return false;
        if (!after[field->has_offset]) return true;
    }
    switch (field->shape) {
    case BW_SHAPE_ONE: return memcmp(a, b, field->item_size) == 0;
    case BW_SHAPE_GRID:
        return before[field->rows_offset] == after[field->rows_offset] &&
               before[field->cols_offset] == after[field->cols_offset] &&
               memcmp(a, b, (size_t)field->cap * field->cols_cap * field->item_size) == 0;
    default: {
        uint16_t count = count_of(field, after);
        return count == count_of(field, before) && memcmp(a, b, (size_t)count * field->item_size) == 0;
    }
    }
}

bool bw_schema_same(const bw_schema *schema, const void *old, const void *now) {
    for (uint16_t i = 0; i < schema->count; i++) {
        if (!same_value(&schema->fields[i], old, now)) return false;
    }
    return true;
}

/* The entry of a map with the same key as `entry`. `likely`: where to look first, because entries rarely change
 * places. */
static const unsigned char *find_entry(const bw_field *field, const unsigned char *map, const unsigned char *entry,
                                       uint32_t likely) {
    const unsigned char *entries = map + field->offset;
    uint32_t key_offset = field->schema->fields[0].offset, key_bytes = field->schema->fields[0].item_size;
    uint32_t count = count_of(field, map);
    for (uint32_t n = 0; n < count; n++) {
        const unsigned char *other = entries + (size_t)((likely + n) % count) * field->item_size;
        if (memcmp(other + key_offset, entry + key_offset, key_bytes) == 0) return other;
    }
    return NULL;
}

static void encode_map_changes(bw_out *out, const bw_field *field, const unsigned char *before,
                               const unsigned char *after) {
    const unsigned char *entries = after + field->offset;
    const bw_field *sole = sole_value(field->schema);
    int written = 0;
    bw_out_text(out, "{");
    for (uint32_t i = 0, count = count_of(field, after); i < count; i++) {
        const unsigned char *entry = entries + (size_t)i * field->item_size;
        const unsigned char *old = find_entry(field, before, entry, i);
        if (old && memcmp(old, entry, field->item_size) == 0) continue;
        bw_out_bytes(out, ",", written++ > 0);
        bw_out_string(out, (const char *)entry + field->schema->fields[0].offset);
        bw_out_text(out, ":");
        if (!old || sole) {
            encode_entry_value(out, field->schema, entry);
        } else {
            bw_schema rest = *field->schema;
            rest.fields++, rest.count--;
            bw_out_text(out, "{");
            bw_encode_changes(out, &rest, old, entry, 0);
            bw_out_text(out, "}");
        }
    }
    bw_out_text(out, "}");
}

int bw_encode_changes(bw_out *out, const bw_schema *schema, const void *old_, const void *now_, int before) {
    const unsigned char *old = old_, *now = now_;
    for (const bw_field *field = schema->fields; field < schema->fields + schema->count; field++) {
        if (same_value(field, old, now) || (field->presence == BW_PRESENCE_OPTIONAL && !now[field->has_offset])) {
            continue;
        }
        open_member(out, field, before++);
        bool both = is_there(field, old) && is_there(field, now);
        if (both && field->shape == BW_SHAPE_MAP) {
            encode_map_changes(out, field, old, now);
        } else if (both && field->shape == BW_SHAPE_ONE && field->kind == BW_KIND_STRUCT) {
            bw_out_bytes(out, "{", 1);
            bw_encode_changes(out, field->schema, old + field->offset, now + field->offset, 0);
            bw_out_bytes(out, "}", 1);
        } else {
            encode_value(out, field, now);
        }
    }
    return before;
}
