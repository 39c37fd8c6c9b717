/* A client for tests: HTTP and WebSocket over a blocking socket, with a time limit on every wait.
 *
 * It can say what no decent client would: half a frame, binary, a wrong Origin, nothing at all. */
#ifndef BW_TESTS_CLIENT_H
#define BW_TESTS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Wide, for a machine that is crowded or a server under Memcheck: what is right is there long before. CLIENT_TRIES are for
 * what is asked for again every 20 ms. */
enum { CLIENT_WAIT_MS = 20000, CLIENT_TRIES = 1000, CLIENT_BUFFER = 512 * 1024 };
enum { CLIENT_TEXT = 1, CLIENT_BINARY = 2, CLIENT_CLOSE = 8, CLIENT_PING = 9, CLIENT_PONG = 10 };

typedef struct client {
    int fd;
    char *buffer; /* what came and was not yet taken */
    size_t length;
    /* The last frame: */
    int opcode;
    char *text; /* NUL-terminated; lives until the next receive */
    size_t text_length;
    int close_code;
    bool no_pong; /* do not answer pings */
} client;

/* false: refused. Port on 127.0.0.1. */
bool client_connect(client *c, int port);
void client_close(client *c);
bool client_write(client *c, const void *bytes, size_t length);
/* Reads more into the buffer: bytes, 0: the end, -1: nothing within the time. */
int client_read_more(client *c, int wait_ms);

/* One HTTP exchange on an open connection. `request` is the whole text. Returns the status, or -1.
 * `head` and `body` (may be NULL) point into the buffer until the next call. */
int client_http(client *c, const char *request, const char **head, const char **body, size_t *body_length);
/* The same on a connection of its own: method, path, further header lines ("A: b\r\n"), body or NULL. The
 * answer's body is copied (NUL-terminated, the caller frees it) where `body_out` is not NULL. */
int client_request(int port, const char *method, const char *path, const char *headers, const char *body,
                   char **head_out, char **body_out);

/* Becomes a WebSocket: the HTTP status, 101 where it worked, -1 where nothing came. */
int client_upgrade(client *c, int port, const char *path, const char *headers);
bool client_send(client *c, const char *text);
bool client_send_frame(client *c, int opcode, bool final, const void *bytes, size_t length);
/* The next frame but pings (which are answered): its opcode, 0: nothing within the time, -1: the end. */
int client_receive(client *c, int wait_ms);

#endif
