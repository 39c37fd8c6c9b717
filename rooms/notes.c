#include "rooms/notes.h"

BW_SCHEMA(bw_note_created, BW_NOTE_CREATED_FIELDS, "the room");
BW_SCHEMA(bw_note_config, BW_NOTE_CONFIG_FIELDS, "settings");
BW_SCHEMA(bw_note_seat, BW_NOTE_SEAT_FIELDS, "a seat's new holder");
BW_SCHEMA(bw_note_name, BW_NOTE_NAME_FIELDS, "another name");
BW_SCHEMA(bw_note_ready, BW_NOTE_READY_FIELDS, "who is ready");
BW_SCHEMA(bw_note_left, BW_NOTE_LEFT_FIELDS, "a seat given up");
BW_SCHEMA(bw_note_bot, BW_NOTE_BOT_FIELDS, "a bot");
BW_SCHEMA(bw_note_stand_in, BW_NOTE_STAND_IN_FIELDS, "a bot for who is away");
BW_SCHEMA(bw_note_start, BW_NOTE_START_FIELDS, "the start");
BW_SCHEMA(bw_note_known, BW_NOTE_KNOWN_FIELDS, "what a solver found");
BW_SCHEMA(bw_note_play, BW_NOTE_PLAY_FIELDS, "an action or a round");
BW_SCHEMA(bw_note_draft, BW_NOTE_DRAFT_FIELDS, "something prepared");
BW_SCHEMA(bw_note_offer, BW_NOTE_OFFER_FIELDS, "who wants another game");
BW_SCHEMA(bw_note_rematch, BW_NOTE_REMATCH_FIELDS, "the next room");
BW_SCHEMA(bw_note_answer, BW_NOTE_ANSWER_FIELDS, "an answer");
BW_SCHEMA(bw_note_here, BW_NOTE_HERE_FIELDS, "where the room stands");
BW_SCHEMA(bw_note_sum, BW_NOTE_SUM_FIELDS, "the end of a snapshot");
BW_UNION(bw_note, BW_NOTES);

void bw_hex_write(char *text, const uint8_t *bytes, size_t count) {
    bw_out out = bw_out_to(text, 2 * count);
    bw_out_hex(&out, bytes, count);
    text[2 * count] = 0;
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
