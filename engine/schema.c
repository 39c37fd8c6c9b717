#include "engine/schema.h"

#include <string.h>

/* Not NULL: walks over a schema's fields add an offset to this pointer, even if it is 0. */
static const bw_field none[1];

const bw_schema bw_nothing_schema = {
    .name = "bw_nothing", .doc = "no fields", .size = sizeof(bw_nothing), .count = 0, .fields = none};

/* ---- values as memory ---- */

/* Little-endian, like everything stored. */
int64_t bw_field_int(const bw_field *field, const void *item) {
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
        int64_t value = bw_field_int(field, at);
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
