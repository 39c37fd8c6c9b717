/* WebSocket messages (RFC 6455): bytes in, messages out, for a server and for a client. No sockets in here.
 *
 *   bw_frames frames = {.message_max = 4096, .message_far = 65536};        // what a client sends
 *   while ((kind = bw_frames_read(&frames, &at, end, &frame)) != BW_FRAME_MORE) ...
 *   bw_frames_release(&frames);
 *
 * The bytes are unmasked in place. What `frame` shows lives until the next call. A message in fragments is put together
 * here, up to `message_max` bytes; a longer one is reported as TOO_LARGE and not kept; one of more than `message_far`
 * bytes is BROKEN. After CLOSE and BROKEN there is nothing more to read. */
#ifndef BW_FRAMES_H
#define BW_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BW_FRAME_HEAD_MAX = 14, BW_CONTROL_MAX = 125, BW_ACCEPT_LENGTH = 28 };

typedef enum bw_opcode {
    BW_OPCODE_CONTINUATION = 0,
    BW_OPCODE_TEXT = 1,
    BW_OPCODE_BINARY = 2,
    BW_OPCODE_CLOSE = 8,
    BW_OPCODE_PING = 9,
    BW_OPCODE_PONG = 10,
} bw_opcode;

typedef enum bw_frame_kind {
    BW_FRAME_MORE, /* all bytes are used up */
    BW_FRAME_TEXT,
    BW_FRAME_TOO_LARGE,
    BW_FRAME_PING,
    BW_FRAME_PONG,
    BW_FRAME_CLOSE,  /* `code` is the other side's; 1005: none given */
    BW_FRAME_BROKEN, /* `code` is the code to close with: 1002, 1003, 1007, 1009 or 1011 */
} bw_frame_kind;

typedef struct bw_frame {
    const char *bytes; /* of a message, of a ping or pong; of a CLOSE its reason */
    size_t length;
    int code;
} bw_frame;

/* Checks text that may be cut anywhere. All zero at the start, and again at the end of a character. */
typedef struct bw_utf8 {
    uint8_t more, lo, hi; /* bytes still expected, and the range of the next */
} bw_utf8;

typedef struct bw_frames {
    /* Set by the caller. */
    bool from_server; /* read a server's frames, which have no mask; a client's frames all have one */
    uint32_t message_max, message_far;
    /* Private. */
    uint8_t head[BW_FRAME_HEAD_MAX], head_length;
    uint8_t mask[4], masked; /* unmasked bytes of the payload, modulo 4 */
    bool in_payload, in_message, too_large;
    bw_utf8 utf8;
    uint32_t message_length, message_cap, control_length;
    uint64_t left; /* of the frame's payload */
    char *message; /* the part so far of a message that comes in pieces */
    char *control;
} bw_frames;

bw_frame_kind bw_frames_read(bw_frames *frames, char **at, char *end, bw_frame *frame);
void bw_frames_release(bw_frames *frames);

/* Writes the head of a complete frame and returns its length. `mask` is NULL on a server. */
size_t bw_frame_head(uint8_t head[BW_FRAME_HEAD_MAX], int opcode, size_t length, const uint8_t mask[4]);
/* Masks or unmasks; `offset` is the number of payload bytes before these. */
void bw_frame_mask(char *bytes, size_t length, const uint8_t mask[4], size_t offset);

/* false: not UTF-8. */
bool bw_utf8_read(bw_utf8 *utf8, const char *bytes, size_t length);

/* The handshake: is the key 16 bytes in base64, and what is the server's answer? */
bool bw_frame_key_is_valid(const char *key);
void bw_frame_accept(const char *key, char accept[BW_ACCEPT_LENGTH + 1]);

#endif
