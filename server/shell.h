/* Connects the hall to the world: events of the net, the journal and the threads go into the hall, and its outputs are
 * carried out. All on the loop's thread; the loop itself is elsewhere, so tests can drive this with
 * tests/support/net_memory.h.
 *
 *   shell.c  carries out the hall's outputs, and passes completions on
 *   api.c    HTTP: the API, who may ask, headers
 *   pages.c  HTTP: the client's files, and pages with what a link's preview shows
 *   refused.c  what was refused before it reached a room: counted by reason, and logged */
#ifndef BW_SHELL_H
#define BW_SHELL_H

#include "server/assets.h"
#include "server/journal.h"
#include "server/model.h"
#include "server/net.h"
#include "server/settings.h"
#include "server/workers.h"

/* Why a connection or request did not reach a room. */
#define BW_REFUSED(R)                                                                                   \
    R(BW_REFUSED_ORIGIN, "origin", "a page of another site; PUBLIC_URL or FRONTEND_URL would allow it") \
    R(BW_REFUSED_HOST, "host", "that name is not in PUBLIC_URL")                                        \
    R(BW_REFUSED_NO_UPGRADE, "no_upgrade", "a proxy must pass the headers Upgrade and Connection")      \
    R(BW_REFUSED_NO_ROOM, "no_room", "WebSockets are at /ws/ and a room's id")                          \
    R(BW_REFUSED_DRAINING, "draining", "the server is about to end")
#define BW_REFUSED_CONSTANT(constant, name, hint) constant,
typedef enum bw_refused { BW_REFUSED(BW_REFUSED_CONSTANT) BW_REFUSED_COUNT } bw_refused;
extern const char *const bw_refused_names[BW_REFUSED_COUNT];

typedef struct bw_refused_figures {
    uint64_t count, logged; /* number that the log has told of */
    int64_t next_log_us;    /* monotonic; until then only counted */
} bw_refused_figures;

typedef struct bw_shell {
    const bw_settings *settings;
    const bw_log *log;
    bw_hall *hall;
    bw_net *net;
    bw_journal *journal;
    bw_workers *workers;
    bw_model *model;   /* NULL: no ORDERS_LLM_URL */
    bw_assets *assets; /* NULL: the client is not built */
    char *games;       /* the answer to GET /api/games */
    size_t games_length;
    bool draining;
    bw_refused_figures refused[BW_REFUSED_COUNT];
    uint64_t refusals[BW_REFUSAL_CODES]; /* errors answered by the shell itself, by bw_error_code */
    /* Calls bw_shell_tick at that mono_us; INT64_MAX: never. */
    void (*set_deadline)(void *user, int64_t mono_us);
    /* With other nodes: the result for a request that was routed (net.h). NULL: the only node. */
    struct {
        void (*pass)(void *user, uint64_t conn, const char *owner);
        void (*go_on)(void *user, uint64_t conn);
        uint64_t (*passed_on)(void *user); /* connections now */
        uint64_t (*let_go)(void *user);    /* relayed connections closed so far because their owner is silent */
        void (*hang_up)(void *user);       /* on everybody who comes to this node's rooms */
        void (*peers)(void *user, const bw_peers *living);
        void (*drain)(void *user); /* somebody wants this node to end */
        void *user;
    } nodes;
    /* Another server has taken over the database (journal.h). May be NULL. */
    void (*lost)(void *user, const char *why);
    void *user;
    int64_t deadline; /* last announced */
    bool silent;      /* the lease is over, and everybody was hung up on */
    size_t unused;    /* free memory, and memory returned to the system, at the last check */
} bw_shell;

/* Fills in what the shell makes itself (hall, games); the caller sets the rest, before and after: the net's handler
 * is bw_shell_handler(shell). false: out of memory. */
bool bw_shell_init(bw_shell *shell, const uint8_t key[32]);
void bw_shell_release(bw_shell *shell);
bw_net_handler bw_shell_handler(bw_shell *shell);

bw_now bw_shell_now(void);
/* The timer has fired, or may have. */
void bw_shell_tick(bw_shell *shell);
/* The journal's, the workers' or the model's `wake` was called. */
void bw_shell_journal_ready(bw_shell *shell);
void bw_shell_workers_ready(bw_shell *shell);
void bw_shell_model_ready(bw_shell *shell);
/* Starts draining: nothing new; with other nodes, rooms are handed over to them. bw_shell_drained: and everything in flight is done. */
void bw_shell_drain(bw_shell *shell);
bool bw_shell_drained(const bw_shell *shell);
/* Carries out the hall's outputs. Called by all of the above. */
void bw_shell_pump(bw_shell *shell);

/* ---- api.c ---- */

void bw_api_request(bw_shell *shell, uint64_t conn, const bw_request *request);
bool bw_api_upgrade(bw_shell *shell, const bw_request *request, bw_response *refusal);
/* The room that a request concerns, in upper case: its node must answer. */
bool bw_api_room_of(const bw_request *request, char room[BW_ROOM_ID_MAX + 1]);
/* Nobody can answer it now. `why`: a sentence, or NULL: the room is moving. */
void bw_api_refuse_route(bw_shell *shell, uint64_t conn, const char *why);
/* A request about a room, while this node hands its rooms over: another node answers it. */
void bw_api_refuse_newcomer(bw_shell *shell, uint64_t conn, const bw_request *request);
/* The hall's answer to a request; takes ownership of `bytes`. */
void bw_api_answer(bw_shell *shell, uint64_t conn, int status, bw_bytes *bytes);
/* The room of `/ws/{room}`, in upper case, and the requested game (NULL: none), which is stored in `game`. */
bool bw_api_socket_target(const bw_request *request, char room[BW_ROOM_ID_MAX + 1], char *game, size_t cap,
                          bool *has_game);

/* Parts of an answer shared by api.c and pages.c. */
typedef struct bw_answer_parts {
    bw_response response;
    char policy[700];
} bw_answer_parts;
/* Headers of every answer; a page may run scripts. */
void bw_api_add_common(bw_answer_parts *answer, const bw_shell *shell, const bw_request *request, bool page);
void bw_api_answer_with(bw_shell *shell, uint64_t conn, const bw_request *request, bw_answer_parts *answer, int status,
                        const char *type, const void *body, size_t length, bw_bytes *owner);

/* ---- pages.c ---- */

/* A file of the client, a page of it, or 404. The page of a room or a replay first asks the hall for its game. */
void bw_page_serve(bw_shell *shell, uint64_t conn, const bw_request *request);
/* Was the hall asked for a page? Then this answers, whatever the hall said. */
bool bw_page_answer(bw_shell *shell, uint64_t conn, const bw_request *request, const bw_bytes *bytes);

/* ---- refused.c ---- */

/* Counts it and logs it with Origin and Host, at most a few times a minute. */
void bw_refused_note(bw_shell *shell, bw_refused reason, const bw_request *request);

/* ---- metrics.c ---- */

/* Prometheus text. The caller frees it; NULL: out of memory. */
char *bw_metrics_text(bw_shell *shell, size_t *length);

#endif
