/* Actions as people type them, and actions and events as text, for any game: "move 3,4", "select_color red",
 * "command 1 up 3".
 *
 * The first word is the action; the others are its fields, in the order of declaration. A place is "x,y"; a list
 * takes all remaining words; a long text takes the rest of the line; "none" is null; an optional field is skipped if
 * the word does not fit it. Any field can be named: "round=3", and so can the members of an object: "new_game rows=5
 * cols=5".
 *
 * Only this file converts columns and rows (fields declared INDEX) between the wire, which counts from 0, and
 * people, who count from 1. JSON stays as it is, typed or printed. */
#ifndef BW_CLI_PHRASE_H
#define BW_CLI_PHRASE_H

#include "engine/json.h"

/* The JSON of the action in a line; the line may already be JSON. False with an error text. */
bool phrase_read(const bw_union *actions, const char *line, bw_out *json, bw_error_text *why);
/* An action as it would be typed: "move 3,4". Returns the bytes needed, like snprintf. */
size_t phrase_write(const bw_union *actions, const void *action, char *text, size_t cap);
/* An event, or an action that nobody types, as text, from its JSON: "moved from 6,9 to 6,10". Unknown members are
 * printed as they come. Anything but a JSON object with a `type` is printed unchanged. */
void phrase_tell(const bw_union *cases, const char *json, size_t length, bw_out *out);
/* How an action is typed: "move x,y". Returns the bytes needed, like snprintf. */
size_t phrase_form(const bw_case *action, char *text, size_t cap);
/* Does one of the actions contain a column or a row? */
bool phrase_has_places(const bw_union *actions);

#endif
