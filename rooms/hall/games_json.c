/* GET /api/games: every game that is offered, with its settings as a JSON Schema. */
#include "bots/bots.h"
#include "engine/registry.h"
#include "rooms/hall.h"

static void write_type(bw_out *out, const bw_field *field) {
    switch (field->kind) {
    case BW_KIND_INT:
        bw_out_text(out, field->names ? "\"type\":[\"integer\",\"string\"]" : "\"type\":\"integer\"");
        bw_out_text(out, ",\"minimum\":");
        bw_out_int(out, field->names && field->lo < 0 ? 0 : field->lo);
        bw_out_text(out, ",\"maximum\":");
        bw_out_int(out, field->hi);
        break;
    case BW_KIND_BOOL: bw_out_text(out, "\"type\":\"boolean\""); break;
    case BW_KIND_TEXT:
        bw_out_text(out, field->takes_number ? "\"type\":[\"string\",\"integer\"],\"minLength\":"
                                             : "\"type\":\"string\",\"minLength\":");
        bw_out_int(out, field->lo);
        bw_out_text(out, ",\"maxLength\":");
        bw_out_int(out, field->hi);
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
        bw_out_text(out, i > 0 ? "," : "");
        bw_out_string(out, field->name);
        bw_out_text(out, ":{");
        write_type(out, field);
        write_words(out, ",\"title\":", field->title);
        write_words(out, ",\"description\":", field->doc);
        write_words(out, ",\"unit\":", field->unit);
        /* `"name":value` of the one setting; its value is the default. */
        char text[512];
        bw_out value = bw_out_to(text, sizeof text);
        size_t skip = strlen(field->name) + 3;
        if (bw_encode_members(&value, &one, defaults) > 0 && !value.overflow) {
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
        bw_out_text(out, ",\"minutes\":");
        bw_out_int(out, variant->minutes);
        bw_out_text(out, ",\"config\":");
        bw_out_text(out, variant->settings);
        bw_out_text(out, "}");
    }
    bw_out_text(out, "]");
}

static void write_game(bw_out *out, const bw_game *game) {
    const bw_bot *bot;
    bw_out_text(out, "{\"id\":");
    bw_out_string(out, game->id);
    bw_out_text(out, ",\"title\":");
    bw_out_string(out, game->title);
    bw_out_text(out, ",\"summary\":");
    bw_out_string(out, game->summary);
    bw_out_text(out, ",\"rules_version\":");
    bw_out_int(out, game->rules_version);
    bw_out_text(out, ",\"roles\":[");
    for (int i = 0; i < game->role_count; i++) {
        bw_out_text(out, i > 0 ? ",{\"id\":" : "{\"id\":");
        bw_out_string(out, game->roles[i].id);
        bw_out_text(out, ",\"title\":");
        bw_out_string(out, game->roles[i].title);
        bw_out_text(out, "}");
    }
    bw_out_text(out, "],\"seats_min\":");
    bw_out_int(out, game->seats_min);
    bw_out_text(out, ",\"rounds\":");
    bw_out_text(out, game->flags & BW_GAME_ROUNDS ? "true" : "false");
    bw_out_text(out, ",\"any_starts\":");
    bw_out_text(out, game->flags & BW_GAME_ANY_STARTS ? "true" : "false");
    bw_out_text(out, ",\"bot_levels\":[");
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
