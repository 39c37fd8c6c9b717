#include "bots/flag_war/lexicon.h"

#include "games/flag_war/flag_war.h"

typedef struct entry {
    const char *words; /* synonyms, separated by '|'; a synonym may be several words */
    bw_lexeme_kind kind;
    int16_t value;
} entry;

/* The only table of synonyms. The longest match wins; apostrophes are dropped ("don't" is "dont"). */
static const entry lexicon[] = {
    {"if|when|whenever|unless|in case|as soon as|as long as|should any|provided|assuming|suppose|supposing|otherwise|"
     "else|or else|the moment|the minute|every time|each time|until|till|before|whether|depending|"
     "even if|only if|what if|in the event|once they|once we|once it|once he|once she|once our|once their|once all|"
     "once everyone|once someone|lest",
     BW_LEX_IF, 0},
    {"minus|negative|or|either", BW_LEX_BAD, 0},
    {"both|both of them|both of you|the two of them|the two of you|these two|those two|you two", BW_LEX_BOTH, 0},
    {"aggressive|aggressively|attack mode|all out attack|all in|go all in|offensive|offensively|offense|onslaught|"
     "full attack|on the offensive|on offense|get aggressive|play aggressive|be aggressive|go aggressive",
     BW_LEX_STANCE, BW_ACT_GO},
    {"defensive|defensively|defensive formation|defence formation|defense formation|defensive position|"
     "defensive positions|turtle|turtle up|on the defensive|on defence|on defense|play defence|play defense|"
     "get defensive|play defensive|be defensive|go defensive|play safe|defend formation",
     BW_LEX_STANCE, BW_ACT_GUARD},
    {"out of jail|out of prison|from jail|from prison|out from jail|back from jail", BW_LEX_OUT, 0},
    {"and|while|plus|but|meanwhile|whilst|also|&|+", BW_LEX_AND, 0},
    {"then|after that|afterwards|and then|next up|followed by|>", BW_LEX_THEN, 0},
    {"dont|do not|never|not|without|avoid|cannot|cant", BW_LEX_NOT, 0},
    {"the|a|an|please|should|must|will|lets|let|have|has|it|its|of|your|on|is|be|just|quickly|fast|now go|ok|okay|"
     "straight|directly|near|over|by|all of|everything you have|x|y|square|side|flank|hand|that|this|them|him|her|us|i|we|"
     "want|would like|you|can|need|try|try and|immediately|at once|from|there|so|as|as well|too|together|"
     "pls|plz|dude|bro|lol|hey|yo|gonna|really|:|=|"
     "prisoners|prisoner|teammates|friends|mates|territory|zone|place|position|as they are|where they are|where it is|where you are|put|get ready|"
     "around|formation|form|play|mode|style|game|line up|stance|more|very|too|now then|way|possible",
     BW_LEX_NOISE, 0},
    {"piece|unit|number|pawn|soldier|man|player|token|guy|one on|one in|one at|of you|of them|of us|p|#", BW_LEX_PIECE,
     0},
    {"pieces|units|numbers|pawns|soldiers|men|players|tokens|guys", BW_LEX_PIECE, 1},
    {"all|everyone|everybody|all pieces|whole team|team|everything|each|all units|all three|you all|the lot|"
     "all of you|all of them|troops|squad|all the pieces|all my pieces|all our pieces|all the units|all our units|"
     "all my units|every piece|every unit|each piece|each unit",
     BW_LEX_ALL, 0},
    {"others|other|other two|other ones|rest|everyone else|everybody else|all others|all the others|other pieces|"
     "remaining|remaining pieces|anyone else|the remaining|those left|other one",
     BW_LEX_OTHERS, 0},
    {"except|except for|apart from|other than|excluding", BW_LEX_EXCEPT, 0},
    {"all but|everyone but|everybody but|all except|everyone except|everybody except|all apart from", BW_LEX_EXCEPT, 1},
    {"nearest|closest|someone|somebody|any|anyone|any piece|one of them|nearest piece|closest piece", BW_LEX_NEAREST,
     0},
    {"carrier|flag carrier|runner|flag bearer|bearer|flagbearer|who has flag|flag holder", BW_LEX_CARRIER, 0},
    {"up|u|n|^|north|upwards|upward|northwards|above", BW_LEX_DIRECTION, BW_WAR_UP},
    {"down|d|s|south|downwards|downward|southwards|below", BW_LEX_DIRECTION, BW_WAR_DOWN},
    {"left|l|w|west|leftwards|leftward|westwards|leftmost|left most|far left", BW_LEX_DIRECTION, BW_WAR_LEFT},
    {"right|r|e|last|east|rightwards|rightward|eastwards|rightmost|right most|far right", BW_LEX_DIRECTION,
     BW_WAR_RIGHT},
    {"up left|northwest|north west|upper left|top left", BW_LEX_DIRECTION, BW_WAR_UP_LEFT},
    {"up right|northeast|north east|upper right|top right", BW_LEX_DIRECTION, BW_WAR_UP_RIGHT},
    {"down left|southwest|south west|lower left|bottom left", BW_LEX_DIRECTION, BW_WAR_DOWN_LEFT},
    {"down right|southeast|south east|lower right|bottom right", BW_LEX_DIRECTION, BW_WAR_DOWN_RIGHT},
    {"forward|forwards|ahead|onward|onwards|advance|push|push forward|push up", BW_LEX_AHEAD, 1},
    {"back|backward|backwards|behind", BW_LEX_AHEAD, -1},
    {"middle|centre|center|central|mid", BW_LEX_MIDDLE, 0},
    {"all the way|as far as possible|as far as you can|as far as it can|max|maximum|full|to the end|far|"
     "to the edge|to the wall|to edge|until end|until the end|till the end|until the wall",
     BW_LEX_FAR, 0},
    {"squares|steps|step|spaces|space|fields|field|tiles|tile|cells|cell|places|times", BW_LEX_SQUARES, 0},
    {"to|towards|toward|onto|into|at|up to|down to|over to|on to", BW_LEX_TO, 0},
    {"with|using", BW_LEX_WITH, 0},
    {"move|moves|go|goes|send|walk|walks|head|heads|run|runs|march|marches|slide|shift|step to|travel|order|tell|make|"
     "bring|hurry|break|proceed|going|moving|return to|goto",
     BW_LEX_MOVE, 0},
    {"rush|rushes|attack|attacks|charge|storm|grab|grabs|take|takes|capture|captures|steal|steals|get|gets|fetch|seize|"
     "assault|pick up|go for|go get|snatch|raid|invade|strike|win",
     BW_LEX_ACT, BW_ACT_GO},
    {"come home|come back|retreat|retreats|fall back|withdraw|withdraws|return|returns|go home|go back|run home|"
     "bring home|bring it home|bring it back|bring flag home|bring flag back|head home|get home|get back|back home|"
     "pull back|flee|escape|score|run back|come back home|go back home|carry it home|take it home|return home|"
     "bring the flag home|bring the flag back",
     BW_LEX_ACT, BW_ACT_RETREAT},
    {"guard|guards|defend|defends|block|blocks|protect|protects|cover|covers|defence|defense|shield|watch|stay back|"
     "dont let|do not let|escort|escorts|guard the area|bodyguard",
     BW_LEX_ACT, BW_ACT_GUARD},
    {"hunt|hunts|chase|chases|catch|catches|tag|tags|intercept|intercepts|jail|jails|stop intruder|hunt down|pursue|"
     "tackle|hit|kill|go after|get him|get her|get them|get that guy|get that piece|get that one",
     BW_LEX_ACT, BW_ACT_HUNT},
    {"rescue|rescues|free|frees|save|saves|release|unlock|liberate|jailbreak|break out|help prisoners|free prisoners|"
     "rescue prisoners|free everyone|unjail|break free",
     BW_LEX_ACT, BW_ACT_RESCUE},
    {"hold|holds|stay|stays|wait|waits|stop|stops|stand|stand still|freeze|hold position|stay put|do nothing|halt|"
     "dont move|do not move|stand by|stand fast|hold still|remain|remains|keep still|rest there|pause|stay there|"
     "hold there|stand down|hold on|nobody move|nobody moves|no one move|no one moves|"
     "hold the line|hold your line|stand your ground|hold ground",
     BW_LEX_ACT, BW_ACT_HOLD},
    {"cancel|forget|forget it|undo|never mind|nevermind|clear|abort|scrap|scratch|drop orders|take back|cancel orders|"
     "clear orders|forget orders|cancel all|clear all",
     BW_LEX_ACT, BW_ACT_CANCEL},
    {"distract|distracts|decoy|feint|lure|bait|draw them|divert|distraction|draw enemy|draw fire|make noise",
     BW_LEX_ACT, BW_ACT_DISTRACT},
    {"sneak|sneaks|flank|flanks|slip|slips|infiltrate|go around|creep|sneak in|sneak around|outflank|go round",
     BW_LEX_ACT, BW_ACT_SNEAK},
    {"flag|flags|banner", BW_LEX_FLAG, 0},
    {"key|keys|rescue key", BW_LEX_KEY, 0},
    {"home|base|start|starting square|starting place|spawn|home base|own side|our side|my side|starting position|"
     "our territory|own territory|our half",
     BW_LEX_HOME, 0},
    {"edge|wall|corner|border", BW_LEX_EDGE, 0},
    {"column|col|file", BW_LEX_COLUMN, 0},
    {"row|rank|line", BW_LEX_ROW, 0},
    {"our|own|my|ours|mine|home flag", BW_LEX_OWN, 0},
    {"enemy|enemys|enemies|their|theirs|opponent|opponents|opposing|hostile|intruder|intruders|attacker|attackers|foe|"
     "foes|invader|invaders",
     BW_LEX_ENEMY, 0},
    {"blue|blues", BW_LEX_TEAM, BW_WAR_BLUE},
    {"red|reds", BW_LEX_TEAM, BW_WAR_RED},
    {"round|rounds|turn|turns|tick|ticks", BW_LEX_ROUNDS, 0},
    {"in", BW_LEX_IN, 0},
    {"after", BW_LEX_AFTER, 0},
    {"for", BW_LEX_FOR, 0},
    {"now|right now|this round|this turn|first", BW_LEX_NOW, 0},
    {"next|next round|next turn", BW_LEX_NEXT, 0},
    {"until told|until told otherwise|until i say|until i say so|until further notice|until further orders|forever|"
     "every round|every turn|each round|each turn|for ever|until i tell you|until ordered|until told so|always|keep going|for the rest of the game|for good",
     BW_LEX_UNTIL, 0},
    {"zero|nought", BW_LEX_NUMBER, 0},
    {"one|once|first piece", BW_LEX_NUMBER, 1},
    {"two|twice|couple|second|second piece", BW_LEX_NUMBER, 2},
    {"three|third|third piece", BW_LEX_NUMBER, 3},
    {"four|fourth", BW_LEX_NUMBER, 4},
    {"five|fifth", BW_LEX_NUMBER, 5},
    {"six|sixth", BW_LEX_NUMBER, 6},
    {"seven|seventh", BW_LEX_NUMBER, 7},
    {"eight", BW_LEX_NUMBER, 8},
    {"nine", BW_LEX_NUMBER, 9},
    {"ten", BW_LEX_NUMBER, 10},
    {"eleven", BW_LEX_NUMBER, 11},
    {"twelve|dozen", BW_LEX_NUMBER, 12},
    {",|/", BW_LEX_COMMA, 0},
    {".|;|!|?", BW_LEX_STOP, 0},
};

/* ---- tokens ---- */

typedef struct token {
    uint16_t from, to;
    char word[20];  /* in lower case; longer words are truncated and match nothing */
    int16_t number; /* -1: not one */
} token;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Arrows mean their direction. */
static const char *arrow(const char *at) {
    static const char *const words[] = {"left", "up", "right", "down"};
    if ((unsigned char)at[0] != 0xe2 || (unsigned char)at[1] != 0x86) return NULL;
    int which = (unsigned char)at[2] - 0x90;
    return which >= 0 && which < 4 ? words[which] : NULL;
}

/* "->" and "=>" */
static bool is_to(const char *at) { return (at[0] == '-' || at[0] == '=') && at[1] == '>'; }

static void copy_word(token *t, const char *word) {
    for (int i = 0; word[i]; i++) { /* t->word is zeroed, and longer than any direction */
        t->word[i] = word[i];
    }
}

/* The bytes of any kind of minus: "-", "\xe2\x88\x92", an en dash. 0: there is none. */
static size_t minus(const char *at) {
    if (at[0] == '-') return 1;
    bool is_long = (unsigned char)at[0] == 0xe2 && (((unsigned char)at[1] == 0x88 && (unsigned char)at[2] == 0x92) ||
                                                    ((unsigned char)at[1] == 0x80 && (unsigned char)at[2] == 0x93));
    return is_long ? 3 : 0;
}

/* "-2", "2.5": numbers that no order may have. Returns the bytes; 0: not such a number. */
static size_t odd_number(const char *text, size_t at) {
    size_t sign = minus(text + at), end = at + sign;
    if (sign && at && is_digit(text[at - 1])) return 0; /* "4-2" */
    while (is_digit(text[end])) end++;
    if (end == at + sign) return 0;
    bool fraction = text[end] == '.' && is_digit(text[end + 1]);
    for (end += fraction; fraction && is_digit(text[end]);) end++;
    return sign || fraction ? end - at : 0;
}

/* The token at `at`, which is not a space. Returns what follows it. */
static size_t scan(const char *text, size_t at, token *t) {
    *t = (token){.from = (uint16_t)at, .number = -1};
    size_t odd = odd_number(text, at);
    if (odd) {
        copy_word(t, "minus");
        at += odd;
    } else if (is_digit(text[at])) {
        int value = 0;
        for (; is_digit(text[at]); at++) {
            value = value < 3000 ? value * 10 + (text[at] - '0') : value;
        }
        t->number = (int16_t)value;
    } else if (is_to(text + at)) {
        copy_word(t, "to");
        at += 2;
    } else if (arrow(text + at)) {
        copy_word(t, arrow(text + at));
        at += 3;
    } else if (is_letter(text[at])) {
        size_t length = 0;
        for (; is_letter(text[at]) || (text[at] == '\'' && is_letter(text[at + 1])); at++) {
            if (text[at] == '\'' || arrow(text + at)) {
                if (text[at] != '\'') break;
                continue;
            }
            if (length + 1 < sizeof t->word) {
                t->word[length++] = (char)(text[at] >= 'A' && text[at] <= 'Z' ? text[at] - 'A' + 'a' : text[at]);
            }
        }
    } else {
        t->word[0] = text[at] == '\n' ? '.' : text[at];
        at++;
    }
    t->to = (uint16_t)at;
    return at;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '(' || c == ')' || c == '"' || c == '-' || c == '\'';
}

/* ---- matching ---- */

/* How many tokens a synonym (up to '|' or the end) covers; 0: no match. */
static int covers(const char *synonym, const token *tokens, int count) {
    int used = 0;
    for (;;) {
        if (used == count || tokens[used].number >= 0) return 0;
        const char *word = tokens[used].word;
        while (*word && *word == *synonym) word++, synonym++;
        if (*word || (*synonym && *synonym != '|' && *synonym != ' ')) return 0;
        used++;
        if (*synonym != ' ') return used;
        synonym++;
    }
}

/* The next synonym, or the end of the text. */
static const char *after(const char *synonym) {
    while (*synonym && *synonym != '|') synonym++;
    return *synonym ? synonym + 1 : synonym;
}

static int look_up(const token *tokens, int count, bw_lexeme *lexeme) {
    int longest = 0;
    for (size_t i = 0; i < sizeof lexicon / sizeof lexicon[0]; i++) {
        for (const char *synonym = lexicon[i].words; *synonym; synonym = after(synonym)) {
            int used = covers(synonym, tokens, count);
            if (used > longest) {
                longest = used;
                lexeme->kind = (uint8_t)lexicon[i].kind;
                lexeme->value = lexicon[i].value;
            }
        }
    }
    return longest;
}

static bool says(const bw_lexeme *l, const char *text, const char *word) {
    size_t i = 0;
    for (; word[i] && l->from + i < l->to; i++) {
        if ((text[l->from + i] | 0x20) != word[i]) return false;
    }
    return !word[i] && l->from + i == l->to;
}

static bool parts(const bw_lexeme *l) {
    return l->kind == BW_LEX_STOP || l->kind == BW_LEX_COMMA || l->kind == BW_LEX_THEN || l->kind == BW_LEX_AND;
}

/* Words that start a condition in some positions: "should 1 get tagged, ...", "once 2 has it, ...", "after 1 gets
 * back, ...". */
static void tell_conditions(bw_lexeme *lexemes, int count, const char *text) {
    for (int i = 0; i + 1 < count; i++) {
        bw_lexeme *l = &lexemes[i];
        const bw_lexeme *next = l + 1;
        bool begins = i == 0 || parts(l - 1);
        bool of_units = next->kind == BW_LEX_NUMBER || next->kind == BW_LEX_PIECE || next->kind == BW_LEX_ALL ||
                        next->kind == BW_LEX_CARRIER || next->kind == BW_LEX_ENEMY || next->kind == BW_LEX_OWN ||
                        next->kind == BW_LEX_TEAM || next->kind == BW_LEX_NEAREST || next->kind == BW_LEX_NOISE;
        if ((says(l, text, "should") || says(l, text, "once")) && begins && of_units) l->kind = BW_LEX_IF;
        if (l->kind != BW_LEX_AFTER) continue;
        bool rounds = next->kind == BW_LEX_ROUNDS || next->kind == BW_LEX_NOISE;
        for (int k = i + 1; k < count && k <= i + 3; k++) rounds = rounds || lexemes[k].kind == BW_LEX_ROUNDS;
        if (!rounds) l->kind = BW_LEX_IF;
    }
}

bool bw_lex(const char *text, bw_lexeme *lexemes) {
    static const bw_lexeme end = {.kind = BW_LEX_END};
    token tokens[BW_LEXEMES_MAX];
    int count = 0, written = 0;
    size_t at = 0;
    while (text[at] && count < BW_LEXEMES_MAX - 1) {
        bool sign = (minus(text + at) && !is_to(text + at)) || (text[at] == '+' && is_digit(text[at + 1]));
        if ((is_blank(text[at]) && !is_to(text + at) && !odd_number(text, at)) || (sign && !odd_number(text, at))) {
            at += minus(text + at) ? minus(text + at) : 1;
        } else at = scan(text, at, &tokens[count++]);
    }
    for (int i = 0; i < count;) {
        bw_lexeme *lexeme = &lexemes[written++];
        *lexeme = (bw_lexeme){.kind = BW_LEX_UNKNOWN, .from = tokens[i].from};
        int used = 1;
        if (tokens[i].number >= 0) {
            lexeme->kind = BW_LEX_NUMBER;
            lexeme->value = tokens[i].number;
        } else {
            int matched = look_up(tokens + i, count - i, lexeme);
            used = matched ? matched : 1;
        }
        lexeme->to = tokens[i + used - 1].to;
        i += used;
    }
    tell_conditions(lexemes, written, text);
    lexemes[written] = end;
    lexemes[written].from = lexemes[written].to = (uint16_t)at;
    return !text[at];
}
