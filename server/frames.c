#include "server/frames.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROTOCOL_ERROR = 1002, NOT_TEXT = 1003, NO_CODE = 1005, NOT_UTF8 = 1007, TOO_BIG = 1009, NO_MEMORY = 1011 };
enum { CAP_AT_FIRST = 4096 };

/* ---- text ---- */

static bool is_ascii(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

/* The first byte of a character gives the number of bytes and the range of the second, so that no character has two
 * encodings. */
static bool begin_character(bw_utf8 *utf8, uint8_t byte) {
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    utf8->more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    utf8->lo = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    utf8->hi = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    return true;
}

bool bw_utf8_read(bw_utf8 *utf8, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        if (!utf8->more) {
            while (length - i >= 8 && is_ascii(bytes + i)) i += 8;
            if (i == length) break;
            if (!begin_character(utf8, (uint8_t)bytes[i])) return false;
        } else if (byte < utf8->lo || byte > utf8->hi) {
            return false;
        } else {
            utf8->more--;
            utf8->lo = 0x80;
            utf8->hi = 0xbf;
        }
    }
    return true;
}

static bool is_text(const char *bytes, size_t length) {
    bw_utf8 utf8 = {0};
    return bw_utf8_read(&utf8, bytes, length) && utf8.more == 0;
}

/* ---- heads ---- */

void bw_frame_mask(char *bytes, size_t length, const uint8_t mask[4], size_t offset) {
    uint8_t turned[8];
    for (size_t i = 0; i < sizeof turned; i++) turned[i] = mask[(offset + i) & 3];
    uint64_t wide, word;
    memcpy(&wide, turned, sizeof wide);
    size_t i = 0;
    for (; length - i >= sizeof word; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        word ^= wide;
        memcpy(bytes + i, &word, sizeof word);
    }
    for (; i < length; i++) bytes[i] = (char)((uint8_t)bytes[i] ^ turned[i & 3]);
}

size_t bw_frame_head(uint8_t head[BW_FRAME_HEAD_MAX], int opcode, size_t length, const uint8_t mask[4]) {
    size_t at = 2;
    int bytes = length < 126 ? 0 : length < 65536 ? 2 : 8;
    head[0] = (uint8_t)(0x80 | opcode);
    head[1] = (uint8_t)((mask ? 0x80 : 0) | (bytes == 0 ? (int)length : bytes == 2 ? 126 : 127));
    for (int i = bytes; i-- > 0;) head[at++] = (uint8_t)((uint64_t)length >> (8 * i));
    if (mask) {
        memcpy(head + at, mask, 4);
        at += 4;
    }
    return at;
}

static int opcode_of(const bw_frames *f) { return f->head[0] & 15; }
static bool is_final(const bw_frames *f) { return f->head[0] & 0x80; }
static bool is_control(const bw_frames *f) { return f->head[0] & 8; }

/* Reads the first two bytes. Returns the code to close with, or 0. */
static int judge_start(const bw_frames *f) {
    int opcode = opcode_of(f), length = f->head[1] & 127;
    if ((f->head[0] & 0x70) || (opcode > BW_OPCODE_BINARY && opcode < BW_OPCODE_CLOSE) || opcode > BW_OPCODE_PONG) {
        return PROTOCOL_ERROR;
    }
    if (f->from_server == (bool)(f->head[1] & 0x80)) return PROTOCOL_ERROR;
    if (is_control(f)) return is_final(f) && length <= BW_CONTROL_MAX ? 0 : PROTOCOL_ERROR;
    if ((opcode == BW_OPCODE_CONTINUATION) != f->in_message) return PROTOCOL_ERROR;
    return opcode == BW_OPCODE_BINARY ? NOT_TEXT : 0;
}

static size_t length_bytes(const bw_frames *f) {
    int length = f->head[1] & 127;
    return length == 126 ? 2 : length == 127 ? 8 : 0;
}

static int judge_length(bw_frames *f) {
    size_t bytes = length_bytes(f);
    uint64_t length = 0;
    for (size_t i = 0; i < bytes; i++) length = length << 8 | f->head[2 + i];
    if (bytes == 0) length = f->head[1] & 127;
    /* Only the shortest encoding is allowed, and the highest bit is never set. */
    if ((bytes == 2 && length < 126) || (bytes == 8 && (length < 65536 || length >> 63))) return PROTOCOL_ERROR;
    if (!is_control(f) && f->message_length + length > f->message_far) return TOO_BIG;
    f->left = length;
    return 0;
}

/* 0: the head is complete; -1: more bytes are needed; else the code to close with. */
static int read_head(bw_frames *f, char **at, const char *end) {
    int code = 0;
    while (*at < end) {
        f->head[f->head_length++] = (uint8_t) * (*at)++;
        if (f->head_length < 2) continue;
        if (f->head_length == 2 && (code = judge_start(f)) != 0) return code;
        size_t mask_at = 2 + length_bytes(f);
        if (f->head_length == mask_at && (code = judge_length(f)) != 0) return code;
        if (f->head_length < mask_at + (f->from_server ? 0 : 4)) continue;
        if (!f->from_server) memcpy(f->mask, f->head + mask_at, 4);
        f->head_length = f->masked = 0;
        f->in_payload = true;
        return 0;
    }
    return -1;
}

/* ---- payloads ---- */

static bw_frame_kind broken(bw_frame *frame, int code) {
    *frame = (bw_frame){.code = code};
    return BW_FRAME_BROKEN;
}

/* The next bytes of this frame's payload, unmasked. */
static size_t take(bw_frames *f, char **at, char *end, char **bytes) {
    size_t length = (size_t)(end - *at);
    if (length > f->left) length = (size_t)f->left;
    *bytes = *at;
    if (!f->from_server) bw_frame_mask(*bytes, length, f->mask, f->masked);
    f->masked = (uint8_t)((f->masked + length) & 3);
    f->left -= length;
    f->in_payload = f->left > 0;
    *at += length;
    return length;
}

static bw_frame_kind read_close(bw_frame *frame) {
    if (frame->length == 0) {
        frame->code = NO_CODE;
        return BW_FRAME_CLOSE;
    }
    if (frame->length == 1) return broken(frame, PROTOCOL_ERROR);
    int code = (uint8_t)frame->bytes[0] << 8 | (uint8_t)frame->bytes[1];
    bool known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
    if (!known) return broken(frame, PROTOCOL_ERROR);
    frame->code = code;
    frame->bytes += 2;
    frame->length -= 2;
    return is_text(frame->bytes, frame->length) ? BW_FRAME_CLOSE : broken(frame, NOT_UTF8);
}

static bw_frame_kind read_control(bw_frames *f, char **at, char *end, bw_frame *frame) {
    char *bytes;
    size_t length = take(f, at, end, &bytes);
    if (f->in_payload || f->control_length) { /* it comes in several pieces */
        if (!f->control && !(f->control = malloc(BW_CONTROL_MAX))) return broken(frame, NO_MEMORY);
        memcpy(f->control + f->control_length, bytes, length);
        f->control_length += (uint32_t)length;
        if (f->in_payload) return BW_FRAME_MORE;
        bytes = f->control;
        length = f->control_length;
        f->control_length = 0;
    }
    *frame = (bw_frame){.bytes = bytes, .length = length};
    switch (opcode_of(f)) {
    case BW_OPCODE_PING: return BW_FRAME_PING;
    case BW_OPCODE_PONG: return BW_FRAME_PONG;
    default: return read_close(frame);
    }
}

static bool keep(bw_frames *f, const char *bytes, size_t length) {
    if (f->message_length + length > f->message_cap) {
        uint32_t cap = f->message_cap ? f->message_cap : CAP_AT_FIRST;
        while (cap < f->message_length + length) cap *= 2;
        char *more = realloc(f->message, cap);
        if (!more) return false;
        f->message = more;
        f->message_cap = cap;
    }
    if (length) memcpy(f->message + f->message_length, bytes, length);
    return true;
}

/* The message has ended: the next one starts from zero. */
static bw_frame_kind end_message(bw_frames *f, const char *bytes, bw_frame *frame) {
    bool too_large = f->too_large, cut = f->utf8.more > 0;
    *frame = (bw_frame){.bytes = bytes ? bytes : "", .length = f->message_length};
    f->in_message = f->too_large = false;
    f->message_length = 0;
    if (cut) return broken(frame, NOT_UTF8);
    return too_large ? BW_FRAME_TOO_LARGE : BW_FRAME_TEXT;
}

static bw_frame_kind read_data(bw_frames *f, char **at, char *end, bw_frame *frame) {
    char *bytes;
    bool first = !f->in_message;
    size_t length = take(f, at, end, &bytes);
    bool over = !f->in_payload && is_final(f);
    f->in_message = true;
    if (!bw_utf8_read(&f->utf8, bytes, length)) return broken(frame, NOT_UTF8);
    f->too_large |= f->message_length + length > f->message_max;
    if (!f->too_large && !(over && first) && !keep(f, bytes, length)) return broken(frame, NO_MEMORY);
    f->message_length += (uint32_t)length;
    if (!over) return BW_FRAME_MORE;
    return end_message(f, first ? bytes : f->message, frame);
}

bw_frame_kind bw_frames_read(bw_frames *f, char **at, char *end, bw_frame *frame) {
    if (!f->in_message && !f->in_payload && f->message) { /* the caller has read the message */
        free(f->message);
        f->message = NULL;
        f->message_cap = 0;
    }
    for (;;) {
        if (!f->in_payload) {
            int code = read_head(f, at, end);
            if (code != 0) return code < 0 ? BW_FRAME_MORE : broken(frame, code);
        } else if (*at == end) {
            return BW_FRAME_MORE;
        }
        bw_frame_kind kind = is_control(f) ? read_control(f, at, end, frame) : read_data(f, at, end, frame);
        if (kind != BW_FRAME_MORE) return kind;
    }
}

void bw_frames_release(bw_frames *f) {
    free(f->message);
    free(f->control);
    f->message = f->control = NULL;
}

/* ---- the handshake ---- */

bool bw_frame_key_is_valid(const char *key) {
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return strlen(key) == 24 && strspn(key, base64) == 22 && strcmp(key + 22, "==") == 0;
}

void bw_frame_accept(const char *key, char accept[BW_ACCEPT_LENGTH + 1]) {
    char text[64 + 40];
    unsigned char hash[SHA_DIGEST_LENGTH];
    int length = snprintf(text, sizeof text, "%.64s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    SHA1((const unsigned char *)text, (size_t)length, hash);
    EVP_EncodeBlock((unsigned char *)accept, hash, sizeof hash);
}
