/* GET /api/games: every offered game, with its settings as a JSON Schema. */
#include "bots/bots.h"
#include "engine/registry.h"
#include "rooms/hall.h"

static void write_type(bw_out *out, const bw_field *field) {
    switch (field->kind) {
    case BW_KIND_INT:
        bw_out_format(out, "%s,\"minimum\":%" PRId64 ",\"maximum\":%" PRId64,
                      field->names ? "\"type\":[\"integer\",\"string\"]" : "\"type\":\"integer\"",
                      field->names && field->lo < 0 ? 0 : field->lo, field->hi);
        break;
    case BW_KIND_BOOL: bw_out_text(out, "\"type\":\"boolean\""); break;
    case BW_KIND_TEXT:
        bw_out_text(out, field->takes_number ? "\"type\":[\"string\",\"integer\"],\"minLength\":"
                                             : "\"type\":\"string\",\"minLength\":");
        bw_out_format(out, "%" PRId64 ",\"maxLength\":%" PRId64, field->lo, field->hi);
        break;
    case BW_KIND_ENUM: bw_out_text(out, "\"type\":\"string\""); break;
    default: bw_out_text(out, "\"type\":\"object\""); break;
    }
    if (field->names) {
        bw_out_text(out, field->kind == BW_KIND_ENUM ? ",\"enum\":[" : ",\"names\":[");
        for (int i = 0; i < field->names->count; i++) {
            bw_out_text(out, i > 0 ? "," : "");
            bw_out_string(out, field->names->names[i]);
        }
        bw_out_text(out, "],\"titles\":[");
        for (int i = 0; i < field->names->count; i++) {
            bw_out_text(out, i > 0 ? "," : "");
            bw_out_string(out, *field->names->titles[i] ? field->names->titles[i] : field->names->names[i]);
        }
        bw_out_text(out, "]");
    }
}

static void write_words(bw_out *out, const char *name, const char *text) {
    if (!text) return;
    bw_out_text(out, name);
    bw_out_string(out, text);
}

/* Settings, or members of one, as `"name":{...}`, each with its default. */
static void write_settings(bw_out *out, const bw_schema *schema, const void *defaults) {
    for (int i = 0; i < schema->count; i++) {
        const bw_field *field = &schema->fields[i];
        bw_schema one = *schema;
        one.fields = field;
        one.count = 1;
        bw_out_format(out, "%s\"%s\":{", i > 0 ? "," : "", field->name);
        write_type(out, field);
        write_words(out, ",\"title\":", field->title);
        write_words(out, ",\"description\":", field->doc);
        write_words(out, ",\"unit\":", field->unit);
        /* `"name":value` of a single setting, with its default. */
        char text[512];
        bw_out value = bw_out_to(text, sizeof text);
        size_t skip = strlen(field->name) + 3;
        if (bw_encode_members(&value, &one, defaults, 0) > 0 && !value.overflow) {
            bw_out_text(out, ",\"default\":");
            bw_out_bytes(out, text + skip, value.length - skip);
        }
        if (field->kind == BW_KIND_STRUCT && field->shape == BW_SHAPE_ONE) {
            bw_out_text(out, ",\"properties\":{");
            write_settings(out, field->schema, (const uint8_t *)defaults + field->offset);
            bw_out_text(out, "}");
        }
        bw_out_text(out, "}");
    }
}

static void write_variants(bw_out *out, const bw_game *game) {
    bw_out_text(out, ",\"variants\":[");
    for (int i = 0; i < game->variant_count; i++) {
        const bw_variant *variant = &game->variants[i];
        bw_out_text(out, i > 0 ? ",{\"id\":" : "{\"id\":");
        bw_out_string(out, variant->id);
        write_words(out, ",\"title\":", variant->title);
        write_words(out, ",\"summary\":", variant->summary);
        bw_out_format(out, ",\"minutes\":%d,\"config\":%s}", variant->minutes, variant->settings);
    }
    bw_out_text(out, "]");
}

static void write_game(bw_out *out, const bw_game *game) {
    const bw_bot *bot;
    bw_out_format(out, "{\"id\":\"%s\",\"title\":\"%s\",\"summary\":\"%s\",\"rules_version\":%d,\"roles\":[", game->id,
                  game->title, game->summary, game->rules_version);
    for (int i = 0; i < game->role_count; i++) {
        bw_out_format(out, "%s\"%s\",\"title\":\"%s\"}", i > 0 ? ",{\"id\":" : "{\"id\":", game->roles[i].id,
                      game->roles[i].title);
    }
    bw_out_format(out, "],\"seats_min\":%d,\"rounds\":%s,\"any_starts\":%s,\"bot_levels\":[", game->seats_min,
                  game->flags & BW_GAME_ROUNDS ? "true" : "false", game->flags & BW_GAME_ANY_STARTS ? "true" : "false");
    for (int i = 0; (bot = bw_bot_at(game, i)); i++) {
        bw_out_text(out, i > 0 ? "," : "");
        bw_out_string(out, bot->level);
    }
    bw_out_text(out, "]");
    write_variants(out, game);
    bw_out_text(out, ",\"config\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{");
    write_settings(out, game->config, game->defaults);
    bw_out_text(out, "}}}");
}

void bw_games_json(bw_out *out) {
    int written = 0;
    bw_out_text(out, "[");
    for (int i = 0; bw_game_at(i); i++) {
        if (bw_game_listed(bw_game_at(i))) {
            bw_out_text(out, written++ > 0 ? "," : "");
            write_game(out, bw_game_at(i));
        }
    }
    bw_out_text(out, "]");
}
