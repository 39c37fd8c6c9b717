#include "cli/turn.h"

#include <string.h>

static const void *action_at(const turn *t, uint32_t i) { return t->legal + (size_t)i * t->match->game->actions->size; }

/* Every `step`-th action. False: they take too much space and are removed again. */
static bool write_every(bw_out *out, const turn *t, uint32_t step) {
    const size_t begun = out->length;
    for (uint32_t i = 0; i < t->legal_count; i += step) {
        if (i) bw_out_text(out, ",");
        bw_encode_union(out, t->match->game->actions, action_at(t, i));
        if (step < t->legal_count && out->length - begun > TURN_LEGAL_BYTES) {
            out->length = begun;
            return false;
        }
        if (t->legal_count - i <= step) break;
    }
    return true;
}

/* ---- a summary of the legal actions ---- */

/* A list as the schema stores it: a count, then the items. */
typedef struct list {
    uint16_t count;
    _Alignas(8) unsigned char items[TURN_VALUES_MAX * 64];
} list;

/* The distinct values of one field. */
typedef struct values {
    bw_field field; /* number of items in the list */
    uint32_t least, most;
    bool too_many;
    uint32_t last; /* where the last value was found, because consecutive actions are similar */
    list list;
} values;

static void add_value(values *v, const unsigned char *item) {
    const size_t size = v->field.item_size;
    for (uint32_t i = 0; i < v->list.count; i++) {
        uint32_t at = (v->last + i) % v->list.count;
        if (memcmp(v->list.items + at * size, item, size) == 0) {
            v->last = at;
            return;
        }
    }
    v->too_many = v->list.count == TURN_VALUES_MAX || (v->list.count + 1u) * size > sizeof v->list.items;
    if (v->too_many) return;
    memcpy(v->list.items + v->list.count * size, item, size);
    v->last = v->list.count++;
}

static void gather(values *v, const turn *t, uint32_t kind, const bw_field *field) {
    const bw_union *actions = t->match->game->actions;
    const bool is_list = field->shape == BW_SHAPE_ARRAY;
    memset(v, 0, sizeof *v);
    v->field = *field;
    v->field.shape = BW_SHAPE_ARRAY;
    v->field.presence = BW_PRESENCE_REQUIRED;
    v->field.cap = TURN_VALUES_MAX;
    v->field.count_offset = offsetof(list, count);
    v->field.offset = offsetof(list, items);
    v->least = UINT32_MAX;
    for (uint32_t i = 0; i < t->legal_count && !v->too_many; i++) {
        const unsigned char *action = action_at(t, i), *body = action + actions->body_offset;
        if (*action != kind || (field->presence != BW_PRESENCE_REQUIRED && !body[field->has_offset])) continue;
        uint16_t count = 1;
        if (is_list) memcpy(&count, body + field->count_offset, sizeof count);
        if (count < v->least) v->least = count;
        if (count > v->most) v->most = count;
        for (uint32_t k = 0; k < count && !v->too_many; k++) add_value(v, body + field->offset + k * field->item_size);
    }
}

static void write_field(bw_out *out, const turn *t, uint32_t kind, const bw_field *field, bool *first) {
    values v;
    if ((field->shape != BW_SHAPE_ONE && field->shape != BW_SHAPE_ARRAY) || field->kind == BW_KIND_RAW) return;
    gather(&v, t, kind, field);
    if (v.too_many || !v.list.count) return;
    bw_field from = v.field;
    from.name = "from";
    from.key = ",\"from\":";
    from.key_length = 8;
    bw_schema one = {.name = "values", .size = sizeof v.list, .count = 1, .fields = &from};
    bw_out_text(out, *first ? "" : ",");
    *first = false;
    bw_out_format(out, "\"%s\":{", field->name);
    bw_encode_members(out, &one, &v.list, 0);
    if (field->shape == BW_SHAPE_ARRAY) {
        bw_out_format(out, ",\"least\":%u,\"most\":%u", v.least, v.most);
    }
    bw_out_text(out, "}");
}

static bool occurs(const turn *t, uint32_t kind) {
    for (uint32_t i = 0; i < t->legal_count; i++) {
        if (*(const unsigned char *)action_at(t, i) == kind) return true;
    }
    return false;
}

static void write_parts(bw_out *out, const turn *t) {
    const bw_union *actions = t->match->game->actions;
    bool first_case = true;
    bw_out_text(out, ",\"legal_parts\":{");
    for (uint32_t kind = 0; kind < actions->count; kind++) {
        if (!occurs(t, kind)) continue;
        const bw_schema *schema = actions->cases[kind].schema;
        bool first = true;
        bw_out_text(out, first_case ? "" : ",");
        first_case = false;
        bw_out_format(out, "\"%s\":{", actions->cases[kind].name);
        for (int i = 0; schema != &bw_nothing_schema && i < schema->count; i++) {
            write_field(out, t, kind, &schema->fields[i], &first);
        }
        bw_out_text(out, "}");
    }
    bw_out_text(out, "}");
}

/* ---- the line ---- */

static void write_state(bw_out *out, const turn *t) {
    const bw_game *game = t->match->game;
    uint32_t turn_of = game->turn(t->match->state);
    bw_out_format(out, ",\"state\":{\"game\":\"%s\",\"rules_version\":%d,\"game_status\":\"active\",\"current_role\":",
                  game->id, game->rules_version);
    bw_out_string(out, (turn_of & (turn_of - 1)) == 0 ? game->roles[t->seat].id : NULL);
    bw_out_format(out, ",\"current_turn\":%u,\"config\":", game->current_turn(t->match->state));
    bw_encode(out, game->config, t->match->config);
    bw_encode_members(out, game->view, t->view, 1);
    bw_out_text(out, "}");
}

void turn_write(bw_out *out, const turn *t) {
    uint32_t step = 1;
    bw_out_format(out, "{\"type\":\"turn\",\"role\":\"%s\"", t->match->game->roles[t->seat].id);
    write_state(out, t);
    bw_out_text(out, ",\"legal\":[");
    while (!write_every(out, t, step) && !out->overflow) step *= 2;
    bw_out_format(out, "],\"legal_count\":%u", t->legal_count);
    if (step > 1) write_parts(out, t);
    bw_out_format(out, ",\"budget_ms\":%" PRId64 "}\n", t->budget_ms);
}
