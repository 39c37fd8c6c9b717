/* A client for tests: HTTP and WebSocket over a blocking socket, with a time limit on every wait.
 *
 * It can also send what no correct client would: half a frame, binary, a wrong Origin, nothing at all. */
#ifndef BW_TESTS_CLIENT_H
#define BW_TESTS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Generous, for a busy machine or a server under Memcheck: a correct answer arrives long before. CLIENT_TRIES limits
 * requests that are repeated every 20 ms. */
enum { CLIENT_WAIT_MS = 20000, CLIENT_TRIES = 1000, CLIENT_BUFFER = 512 * 1024 };
enum { CLIENT_TEXT = 1, CLIENT_BINARY = 2, CLIENT_CLOSE = 8, CLIENT_PING = 9, CLIENT_PONG = 10 };

typedef struct client {
    int fd;
    char *buffer; /* received and not yet consumed */
    size_t length;
    /* The last frame: */
    int opcode;
    char *text; /* NUL-terminated; valid until the next receive */
    size_t text_length;
    int close_code;
    bool no_pong; /* do not answer pings */
} client;

/* Connects to a port on 127.0.0.1. false: refused. */
bool client_connect(client *c, int port);
void client_close(client *c);
bool client_write(client *c, const void *bytes, size_t length);
/* Reads more into the buffer. Returns the bytes; 0 at the end; -1 on a timeout. */
int client_read_more(client *c, int wait_ms);

/* One HTTP exchange on an open connection. `request` is the complete text. Returns the status, or -1. `head` and
 * `body` (may be NULL) point into the buffer until the next call. */
int client_http(client *c, const char *request, const char **head, const char **body, size_t *body_length);
/* The same on a new connection: method, path, further header lines ("A: b\r
 * "), body or NULL. The answer's body is copied (NUL-terminated, the caller frees it) unless `body_out` is NULL. */
int client_request(int port, const char *method, const char *path, const char *headers, const char *body,
                   char **head_out, char **body_out);

/* Becomes a WebSocket. Returns the HTTP status: 101 on success, -1 if there was no answer. */
int client_upgrade(client *c, int port, const char *path, const char *headers);
bool client_send(client *c, const char *text);
bool client_send_frame(client *c, int opcode, bool final, const void *bytes, size_t length);
/* The next frame except pings (which are answered): its opcode; 0 on a timeout; -1 at the end. */
int client_receive(client *c, int wait_ms);

#endif
