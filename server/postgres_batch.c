#include <stdio.h>
#include <string.h>

#include "server/postgres_private.h"

static void add(bw_postgres *pg, bw_block *block, const char *text) {
    pg->unusual |= !bw_block_add(block, text, strlen(text));
}

static void add_name(bw_postgres *pg, bw_block *block, const char *name) {
    pg->unusual |= !bw_postgres_is_name(name);
    add(pg, block, name);
}

static void add_number(bw_postgres *pg, bw_block *block, int64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    add(pg, block, text);
}

/* Two digits a byte, behind one or (within an array) two backslashes. */
static void add_bytes(bw_postgres *pg, bw_block *block, const uint8_t *bytes, size_t length, const char *mark) {
    static const char digits[] = "0123456789abcdef";
    char piece[512];
    add(pg, block, mark);
    for (size_t i = 0, at = 0; i < length; i++) {
        piece[at++] = digits[bytes[i] >> 4];
        piece[at++] = digits[bytes[i] & 15];
        if (at == sizeof piece || i == length - 1) {
            pg->unusual |= !bw_block_add(block, piece, at);
            at = 0;
        }
    }
}

void bw_postgres_begin(bw_postgres *pg, const bw_node_row *node, int64_t number) {
    char head[BW_POSTGRES_FENCE_MAX];
    pg->sql.length = pg->names.length = pg->numbers.length = pg->bytes.length = 0;
    pg->dirty_count = 0;
    pg->unusual = false;
    pg->owner = node->id;
    bw_postgres_fence(head, node, number);
    add(pg, &pg->sql, head);
}

/* "'{1,2,3}'" and what follows, of "1,2,3,". */
static void put_array(bw_postgres *pg, const bw_block *list, const char *behind) {
    add(pg, &pg->sql, "'{");
    pg->unusual |= !bw_block_add(&pg->sql, list->at, list->length - 1);
    add(pg, &pg->sql, "}'");
    add(pg, &pg->sql, behind);
}

/* Writes the run of records that has gathered. */
static void end_run(bw_postgres *pg) {
    if (pg->names.length == 0) return;
    add(pg, &pg->sql, "EXECUTE records (");
    put_array(pg, &pg->names, ", ");
    put_array(pg, &pg->numbers, ", ");
    put_array(pg, &pg->bytes, ");");
    pg->names.length = pg->numbers.length = pg->bytes.length = 0;
}

static void put_record(bw_postgres *pg, const bw_entry *entry) {
    add_name(pg, &pg->names, entry->room);
    add(pg, &pg->names, ",");
    add_number(pg, &pg->numbers, entry->index);
    add(pg, &pg->numbers, ",");
    add_bytes(pg, &pg->bytes, entry->bytes, entry->length, "\\\\x");
    add(pg, &pg->bytes, ",");
}

static void put_statement(bw_postgres *pg, const char *statement, const char *name) {
    add(pg, &pg->sql, "EXECUTE ");
    add(pg, &pg->sql, statement);
    add(pg, &pg->sql, " ('");
    add_name(pg, &pg->sql, name);
    add(pg, &pg->sql, "'");
}

static void put_numbered(bw_postgres *pg, const char *statement, const char *name, int64_t number) {
    put_statement(pg, statement, name);
    add(pg, &pg->sql, ", ");
    add_number(pg, &pg->sql, number);
}

static void put_blob(bw_postgres *pg, const char *statement, const char *name, int64_t number, const bw_entry *entry) {
    put_numbered(pg, statement, name, number);
    add_bytes(pg, &pg->sql, entry->bytes, entry->length, ", '\\x");
    add(pg, &pg->sql, "');");
}

char *bw_postgres_place_of(bw_postgres *pg, const char *name) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *at = name; *at; at++) hash = (hash ^ (uint8_t)*at) * 16777619u;
    return pg->active[hash % BW_POSTGRES_ACTIVE_CACHE];
}

static int by_name(const void *a, const void *b) {
    const bw_dirty_room *x = a, *y = b;
    int order = strcmp(x->entry->room, y->entry->room);
    return order ? order : x->order - y->order;
}

/* Rows of rooms: those that are made where there is none, or those that are not. */
static void put_rows(bw_postgres *pg, bool made, const bool *makes) {
    char head[40], tail[20];
    bw_block statuses = {0}, times = {0};
    for (int i = 0; i < pg->dirty_count; i++) {
        const bw_entry *entry = pg->dirty[i].entry;
        if (!entry || makes[i] != made) continue;
        add_name(pg, &pg->names, entry->room);
        add(pg, &pg->names, ",");
        add_number(pg, &statuses, entry->status);
        add(pg, &statuses, ",");
        add_number(pg, &times, entry->changed_at);
        add(pg, &times, ",");
    }
    if (pg->names.length > 0) {
        snprintf(head, sizeof head, made ? "EXECUTE rooms (%d, " : "EXECUTE touch (", pg->owner);
        snprintf(tail, sizeof tail, made ? ");" : ", %d);", pg->owner);
        add(pg, &pg->sql, head);
        put_array(pg, &pg->names, ", ");
        put_array(pg, &statuses, ", ");
        put_array(pg, &times, tail);
        pg->names.length = 0;
    }
    free(statuses.at);
    free(times.at);
}

/* The last word on each room counts; after a FORGET, only what came behind it. */
static void put_rooms(bw_postgres *pg) {
    bool makes[BW_POSTGRES_DIRTY_MAX];
    qsort(pg->dirty, (size_t)pg->dirty_count, sizeof *pg->dirty, by_name);
    for (int i = 0; i < pg->dirty_count; i++) {
        bw_entry_kind kind = pg->dirty[i].entry->kind;
        bool same =
            i > 0 && pg->dirty[i - 1].entry && strcmp(pg->dirty[i - 1].entry->room, pg->dirty[i].entry->room) == 0;
        makes[i] = kind == BW_ENTRY_RECORD || kind == BW_ENTRY_SNAPSHOT || (same && makes[i - 1]);
        if (kind == BW_ENTRY_FORGET) makes[i] = false;
        if (same) pg->dirty[i - 1].entry = NULL;
    }
    for (int i = 0; i < pg->dirty_count; i++) {
        if (pg->dirty[i].entry && pg->dirty[i].entry->kind == BW_ENTRY_FORGET) pg->dirty[i].entry = NULL;
    }
    put_rows(pg, true, makes);
    put_rows(pg, false, makes);
    pg->dirty_count = 0;
}

static void touch(bw_postgres *pg, const bw_entry *entry) {
    char *active = bw_postgres_place_of(pg, entry->room);
    bool known = strcmp(active, entry->room) == 0;
    /* Of a game under way it is asked when it was last left (then the hall gives a touch or a snapshot), not each move. */
    if (known && entry->status == 'a' && entry->kind == BW_ENTRY_RECORD) return;
    if (entry->kind == BW_ENTRY_RECORD && entry->status == 'a') memcpy(active, entry->room, sizeof entry->room);
    else if (known) active[0] = '\0';
    pg->dirty[pg->dirty_count] = (bw_dirty_room){entry, pg->dirty_count};
    if (++pg->dirty_count == BW_POSTGRES_DIRTY_MAX) {
        end_run(pg);
        put_rooms(pg);
    }
}

void bw_postgres_put(bw_postgres *pg, const bw_entry *entry) {
    if (entry->kind != BW_ENTRY_RECORD) end_run(pg);
    switch (entry->kind) {
    case BW_ENTRY_RECORD: put_record(pg, entry); break;
    case BW_ENTRY_SNAPSHOT:
        put_blob(pg, "snapshot", entry->room, entry->index, entry);
        put_numbered(pg, "drop_records", entry->room, entry->index);
        add(pg, &pg->sql, ");");
        break;
    case BW_ENTRY_FORGET:
        put_numbered(pg, "drop_records", entry->room, UINT32_MAX);
        add(pg, &pg->sql, ");");
        put_statement(pg, "drop_snapshot", entry->room);
        add(pg, &pg->sql, ");");
        put_numbered(pg, "drop_room", entry->room, pg->owner);
        add(pg, &pg->sql, ");");
        break;
    case BW_ENTRY_REPLAY: put_blob(pg, "replay", entry->replay_id, entry->changed_at, entry); return;
    case BW_ENTRY_TOUCH: break;
    }
    touch(pg, entry);
}

bw_outcome bw_postgres_send(bw_postgres *pg) {
    end_run(pg);
    put_rooms(pg);
    pg->unusual |= !bw_block_add(&pg->sql, "", 1);
    bw_outcome outcome;
    if (pg->unusual) {
        snprintf(pg->state, sizeof pg->state, "53200");
        bw_postgres_set_error(pg, "out of memory, or a name that cannot be written");
        outcome = BW_OUTCOME_REFUSED;
    } else {
        outcome = bw_postgres_run(pg, pg->sql.at, NULL);
    }
    if (outcome != BW_OUTCOME_DONE) memset(pg->active, 0, sizeof pg->active); /* it may know what was never stored */
    return outcome;
}
