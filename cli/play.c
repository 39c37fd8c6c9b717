#include "cli/play.h"

#include "cli/phrase.h"
#include "cli/progress.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Signals are only delivered while it waits: one between a check of them and a read would be noticed only with the
 * next line. EOF: the end of the input, or a signal. */
static int next_char(void) {
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t blocked, before;
    unsigned char c;
    sigemptyset(&blocked);
    for (int i = 0; i < 3; i++) sigaddset(&blocked, ends[i]);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    bool comes = !progress_interrupted() && ppoll(&input, 1, NULL, &before) == 1;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return comes && read(STDIN_FILENO, &c, 1) == 1 ? c : EOF;
}

char *play_line(char *line, size_t cap) {
    size_t length = 0;
    int c;
    fflush(stdout);
    while ((c = next_char()) != '\n' && c != EOF) {
        if (length < cap - 1) line[length++] = (char)c; /* the rest of an overlong line is not another command */
    }
    if (c == EOF && (length == 0 || progress_interrupted())) return NULL;
    line[length] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return line + strspn(line, " \t");
}

void play_show(const bw_game *game, const void *view) {
    bw_out text = cli_out(4096);
    do game->text(view, &text);
    while (cli_grow(&text));
    cli_print(stdout, "\n%.*s%s", (int)text.length, text.at,
              text.length && text.at[text.length - 1] == '\n' ? "" : "\n");
    free(text.at);
}

void play_help(const bw_game *game) {
    bool rounds = game->flags & BW_GAME_ROUNDS;
    puts("Type one of these (or an action's number in the list):");
    for (int i = 0; i < game->actions->count; i++) {
        const bw_case *action = &game->actions->cases[i];
        char form[256];
        if (action->flags & BW_ACTION_CLOCK) continue;
        phrase_form(action, form, sizeof form);
        printf("  %-34s %s\n", form, action->doc);
    }
    if (phrase_has_places(game->actions)) {
        puts("Columns and rows count from 1, at the top left: x,y is a column and a row. In JSON they count from 0.");
    }
    if (rounds) puts("  (an empty line)                    plays the round");
    puts("  list                               everything that is legal now\n"
         "  show                               the position again\n"
         "  resign, quit, help");
}

/* The text above the options: what the command does, and the variants of every game. */
static void write_about(char *about, size_t cap) {
    bw_out out = bw_out_to(about, cap - 1);
    bw_out_text(&out,
                "A game in the terminal. Without --bot you play all roles here in turn; with --bot you play one of\n"
                "them; with --join you play in a room on a server. \"help\" in the game explains what to type.\n"
                "\n"
                "Variants, for --variant (by default the rules' own settings apply):");
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        if (!bw_game_listed(game)) continue;
        bw_out_format(&out, "\n  %s", game->id);
        for (int v = 0; v < game->variant_count; v++) {
            char line[200];
            snprintf(line, sizeof line, "\n    %-12s %s: %s", game->variants[v].id, game->variants[v].title,
                     game->variants[v].summary);
            bw_out_text(&out, line);
        }
    }
    about[out.overflow ? 0 : out.length] = 0;
}

int cli_play(int argc, char **argv) {
    char about[4096];
    play_options play = {.seed = -1};
    const char *id;
    const cli_option options[] = {
        CLI_TEXT("--as", &play.role, "ROLE", "your role; default: the first free one"),
        CLI_TEXT("--bot", &play.level, "LEVEL", "bots of this level (or a program) take the other roles"),
        CLI_TEXT("--join", &play.join, "URL", "play in a room: http://host/game/ROOM, as in the browser"),
        CLI_TEXT("--name", &play.name, "NAME", "your name in a room"),
        CLI_TEXT("--variant", &play.variant, "ID", "named settings, from the list above"),
        CLI_TEXT("--config", &play.config_json, "JSON", "the game's settings: '{\"SETTING\": VALUE, ...}'"),
        CLI_INT("--seats", &play.seats, "N", 1, BW_SEATS_MAX, "number of players, if the game leaves it open"),
        CLI_INT("--seed", &play.seed, "S", 0, INT64_MAX, "the seed of the game; random by default"),
        CLI_TEXT("--save", &play.save, "FILE", "save the game as a game file"),
        CLI_FLAG("--json", &play.json, "print each position as a line of JSON instead of text"),
    };
    const cli_usage usage = {
        .command = "play",
        .operands = "GAME",
        .about = about,
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    write_about(about, sizeof about);
    int given = cli_parse(&usage, argc, argv, &id);
    if (given < 0) return cli_exit(given);
    play.game = cli_game(id);
    if (!play.game) return CLI_USAGE;
    if (play.role && bw_role_find(play.game, play.role) < 0) {
        const char *names[BW_SEATS_MAX];
        for (int i = 0; i < play.game->role_count; i++) names[i] = play.game->roles[i].id;
        char what[64];
        snprintf(what, sizeof what, "%s has no role", play.game->id);
        return cli_no_such(what, play.role, names, play.game->role_count, NULL);
    }
    return play.join ? play_room(&play) : play_here(&play);
}
