/* Actions as a person types them: "move 3,4", "select_color red", "command 1 up 3", for any game.
 *
 * A word names the action; the others fill its fields in the order in which they are declared. A place is
 * "x,y"; a list takes all words that are left; a long text takes the rest of the line; "none" is null; an
 * optional field is passed over where the word does not fit it; any field can be named: "round=3", and so can the
 * members of an object: "new_game rows=5 cols=5". */
#ifndef BW_CLI_PHRASE_H
#define BW_CLI_PHRASE_H

#include "engine/json.h"

/* The JSON of the action that a line says; the line may be that JSON already. False with a complaint. */
bool phrase_read(const bw_union *actions, const char *line, bw_out *json, bw_complaint *complaint);
/* An action as it would be typed: "move 3,4". Returns the bytes needed, as snprintf. */
size_t phrase_write(const bw_union *actions, const void *action, char *text, size_t cap);
/* How an action is typed: "move x,y". Returns the bytes needed, as snprintf. */
size_t phrase_form(const bw_case *action, char *text, size_t cap);

#endif
