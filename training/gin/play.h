// A deal between two players, each a network or a script; and what a network's player has lived through.
#include "network.h"

#define MAXSCORE 101
static float EQUITY[MAXSCORE][MAXSCORE]; // chance of winning the match, by points needed: own, other's
static float SLOPE[MAXSCORE][MAXSCORE];

static float equity(int need, int others) {
    if (need <= 0) return 1;
    if (others <= 0) return 0;
    return EQUITY[need][others];
}
static void slopes(void) {
    for (int i = 1; i < MAXSCORE; i++)
        for (int j = 1; j < MAXSCORE; j++)
            SLOPE[i][j] = (equity(i - 25, j) - equity(i, j - 25)) / 2;
}
// From the odds of a deal's points, by winner alike.
static void solve_equity(const double *odds, int most) {
    double total = 0;
    for (int p = 1; p <= most; p++) total += odds[p];
    for (int i = 1; i < MAXSCORE; i++)
        for (int j = 1; j < MAXSCORE; j++) {
            double e = 0;
            for (int p = 1; p <= most; p++) e += odds[p] / total / 2 * (equity(i - p, j) + equity(i, j - p));
            EQUITY[i][j] = e;
        }
    slopes();
}

typedef struct { // how a scripted player plays
    int early, late, until;      // knocks at no more than this: until that stock, and later
    int taking;                  // takes what saves so much deadwood even without a meld; 99: never
    float outs, danger, high;    // weights against deadwood: outs kept, ways given, of high cards
    int gin;                     // never knocks but with gin until stock is below this
} Script;
typedef struct { const Net *net; Script script; float noise; int easy; } Player;
static const Player EASY = {0, {10, 10, 0, 99, 0, 0, 0, 0}, 0, 1};

typedef struct { Position p; float value, target; u64 others; } Lived;
typedef struct { Position p; int bin; } Knocked;
typedef struct { Lived *lived; int n, max; Knocked *knocked; int nk, maxk; } Memory;
static Memory *memory = 0;

typedef struct { int opening, return_taken, tie_undercut, limit, oklahoma; } Rules;

typedef struct {
    u64 hand[2], known[2], by[2];
    int pile[64], owner[64], piled, deck[52], at, stock, turn, limit, idle;
    int taken;
    int need[2];
    uint8_t drawn[2][64], thrown[2][64]; int turns[2];
} Table;

static int lived_from[2];

static void see(const Table *t, int p, Seen *s) {
    s->known = t->known[1 - p]; s->theirs = t->by[1 - p]; s->mine = t->by[p];
    s->stock = t->stock; s->limit = t->limit; s->need = t->need[p]; s->others = t->need[1 - p];
    s->nknown = COUNT(s->known);
}
// As seen with the top of the pile apart from the rest of it.
static void see_with_top(const Table *t, int p, Seen *s, int *top) {
    see(t, p, s);
    *top = t->piled ? t->pile[t->piled - 1] : 0;
    s->theirs &= ~BIT(*top); s->mine &= ~BIT(*top);
}

static float gain(int need, int others, int own, int other) { // of points, in slopes
    return (equity(need - own, others - other) - equity(need, others)) / SLOPE[need][others];
}
static int TIE_UNDERCUT = 1;
static void outcome(int loose, int other, int *own, int *others) {
    *own = *others = 0;
    if (!loose) *own = other + 25;
    else if (loose < other) *own = other - loose;
    else if (loose > other || TIE_UNDERCUT) *others = loose - other + 25;
}
static float knock_value(const Net *net, const Seen *s, u64 hand, int top) {
    Position p = {*s, hand, (int8_t)top, THROWN};
    float odds[BINS], hidden[H1], v = 0; int at[MAXACT], n, loose = deadwood(hand), own, other;
    deadwood_odds(&net->k, &p, odds, hidden, at, &n);
    for (int d = 0; d < BINS; d++) {
        outcome(loose, d, &own, &other);
        v += odds[d] * gain(s->need, s->others, own, other);
    }
    return v;
}
static void live(int p, const Seen *s, u64 hand, int top, int phase, float v, u64 others) {
    if (memory && memory->n < memory->max) {
        Lived *l = memory->lived + memory->n++;
        l->p = (Position){*s, hand, (int8_t)top, (int8_t)phase}; l->value = v; l->target = p; l->others = others;
    }
}

// Not looked at: throws that leave so much more deadwood than the best, tops above that value that make no meld.
#define SPARED 12
#define LOW_CARDS 5
static int THROWS;

// What is best to throw of eleven cards, and whether to knock with it.
static float best_throw(const Player *pl, const Seen *seen, u64 hand, u64 banned, int *card, int *knocks) {
    const Net *net = pl->net;
    float base[H1], best = -1e9, bestk = -1e9; int c, kcard = -1, least = 99;
    base_of(&net->v, seen, THROWN, base);
    int after[52], few = 99;
    EACH(c, hand & ~banned) { after[c] = deadwood(hand ^ BIT(c)); if (after[c] < few) few = after[c]; }
    EACH(c, hand & ~banned) {
        if (after[c] > few + SPARED) continue;
        float v = value_of(&net->v, base, seen, THROWN, hand ^ BIT(c), c);
        if (pl->noise) v += pl->noise * -logf(-logf(uniform() + 1e-12) + 1e-12);
        if (v > best) best = v, *card = c;
        int d = after[c];
        if (d <= seen->limit && d < least) least = d, kcard = c;
    }
    *knocks = 0;
    if (kcard >= 0) { // among those of least deadwood the one that is worth most to lay
        EACH(c, hand & ~banned) if (after[c] == least) {
            float k = knock_value(net, seen, hand ^ BIT(c), c);
            if (k > bestk) bestk = k, kcard = c;
        }
        if (pl->noise) bestk += pl->noise * 2 * -logf(-logf(uniform() + 1e-12) + 1e-12);
        if (bestk >= best) { *knocks = 1; *card = kcard; return bestk; }
    }
    return best;
}

static int script_takes(const Player *pl, const Table *t, int p, int top) {
    u64 hand = t->hand[p];
    if (BIT(top) & in_melds(hand | BIT(top))) return 1;
    if (pl->script.taking >= 99) return 0;
    int before = 99, after = 99, c, d;
    before = deadwood(hand);
    EACH(c, hand) { d = deadwood((hand | BIT(top)) ^ BIT(c)); if (d < after) after = d; }
    return before - after >= pl->script.taking;
}
static int repeated(const Table *t, int p, int drawn, int thrown) {
    for (int i = 0; i < t->turns[p]; i++)
        if ((t->drawn[p][i] == drawn && t->thrown[p][i] == thrown) ||
            (t->drawn[p][i] == thrown && t->thrown[p][i] == drawn)) return 1;
    return 0;
}
static void script_throw(const Player *pl, const Table *t, int p, u64 hand, int drawn, u64 banned, int *card, int *knocks) {
    Seen s; int top, c, n = 0, ties[11], fresh = 0, can = 0; u64 legal = hand & ~banned;
    see_with_top(t, p, &s, &top);
    u64 pile = s.theirs | s.mine | (t->piled ? BIT(top) : 0), hidden = PACK & ~(hand | pile);
    int least = 99;
    EACH(c, legal) { int d = deadwood(hand ^ BIT(c)); if (d < least) least = d; }
    if (pl->easy) {
        can = least <= t->limit;
        int few = 99;
        EACH(c, legal) if (!can || deadwood(hand ^ BIT(c)) <= t->limit)
            if (!repeated(t, p, drawn, c)) fresh = 1;
        EACH(c, legal) {
            int d = deadwood(hand ^ BIT(c));
            if (can && d > t->limit) continue;
            if (fresh && repeated(t, p, drawn, c)) continue;
            if (d < few) few = d, n = 0;
            if (d == few) ties[n++] = c;
        }
        *card = ties[below(n)]; *knocks = can;
        return;
    }
    const Script *r = &pl->script;
    int at_most = t->stock > r->until ? r->early : r->late;
    if (r->gin && t->stock > r->gin) at_most = 0;
    if (at_most > t->limit) at_most = t->limit;
    float best = 1e9;
    EACH(c, legal) {
        u64 rest = hand ^ BIT(c);
        float x = deadwood(rest) + 0.01f * (float)uniform();
        if (repeated(t, p, drawn, c)) x += 3;
        if (!(least <= at_most)) {
            x -= r->outs * COUNT(completing(rest) & hidden);
            x += r->danger * (ways(c, hidden) + 6 * ways(c, s.known));
        }
        if (x < best) best = x, *card = c;
    }
    *knocks = deadwood(hand ^ BIT(*card)) <= at_most;
}

static void take_up(Table *t, int p) { // the top of the pile
    int top = t->pile[--t->piled];
    t->by[t->owner[t->piled]] &= ~BIT(top);
    t->hand[p] |= BIT(top); t->known[p] |= BIT(top); t->taken = top;
}
static void draw_card(Table *t, int p) { t->hand[p] |= BIT(t->deck[t->at]); t->taken = -1; t->at++; t->stock--; }
static void put(Table *t, int p, int c) {
    t->hand[p] &= ~BIT(c); t->known[p] &= ~BIT(c);
    t->pile[t->piled] = c; t->owner[t->piled++] = p; t->by[p] |= BIT(c);
}

// The value of taking the top, the best throw after it.
static float taking(const Player *pl, const Table *t, int p, const Rules *r) {
    Table u = *t; Seen s; int card, knocks;
    take_up(&u, p);
    see(&u, p, &s);
    return best_throw(pl, &s, u.hand[p], r->return_taken ? 0 : BIT(u.taken), &card, &knocks);
}
static int wants_top(const Player *pl, const Table *t, int p, int phase, const Rules *r) {
    int top;
    if (!pl->net) return script_takes(pl, t, p, t->pile[t->piled - 1]);
    top = t->pile[t->piled - 1];
    if (VALUE[top] > LOW_CARDS && !(completing(t->hand[p]) & BIT(top))) return 0;
    Seen s;
    see_with_top(t, p, &s, &top);
    Position q = {s, t->hand[p], (int8_t)top, (int8_t)phase};
    return taking(pl, t, p, r) > value_at(&pl->net->v, &q);
}
static void remember(const Player *pl, const Table *t, int p, int phase) {
    if (!pl->net || !memory) return;
    Seen s; int top;
    see_with_top(t, p, &s, &top);
    Position q = {s, t->hand[p], (int8_t)top, (int8_t)phase};
    live(p, &s, t->hand[p], top, phase, value_at(&pl->net->v, &q), t->hand[1 - p]);
}

// Points of both by a knock.
static void showdown(const Table *t, int p, int *points) {
    u64 hand = t->hand[p], other = t->hand[1 - p], pile = t->by[0] | t->by[1];
    int loose = deadwood(hand), left;
    if (loose) { Melds m = arrangement(hand, pile); left = after_layoffs(other, m.meld, m.n); }
    else left = deadwood(other);
    outcome(loose, left, points + p, points + 1 - p);
}

// One turn's end: true if the deal has ended.
static int end_turn(const Player *pl, Table *t, int p, const Rules *r, int *points) {
    int card = -1, knocks = 0; u64 hand = t->hand[p];
    u64 banned = t->taken >= 0 && !r->return_taken ? BIT(t->taken) : 0;
    int drawn = t->taken >= 0 ? t->taken : t->deck[t->at - 1];
    Seen s;
    THROWS++;
    see(t, p, &s);
    if (pl->net) best_throw(pl, &s, hand, banned, &card, &knocks);
    else script_throw(pl, t, p, hand, drawn, banned, &card, &knocks);
    if (pl->net && memory && memory->nk < memory->maxk && deadwood(hand ^ BIT(card)) <= t->limit) {
        u64 rest = hand ^ BIT(card), pile = t->by[0] | t->by[1] | BIT(card);
        int left;
        if (deadwood(rest)) { Melds m = arrangement(rest, pile); left = after_layoffs(t->hand[1 - p], m.meld, m.n); }
        else left = deadwood(t->hand[1 - p]);
        memory->knocked[memory->nk++] = (Knocked){{s, rest, (int8_t)card, THROWN}, left < BINS ? left : BINS - 1};
    }
    if (knocks) {
        put(t, p, card);
        showdown(t, p, points);
        return 1;
    }
    if (t->turns[p] < 64) { t->drawn[p][t->turns[p]] = drawn; t->thrown[p][t->turns[p]++] = card; }
    t->idle = t->taken >= 0 ? t->idle + 1 : 0;
    put(t, p, card);
    remember(pl, t, p, THROWN);
    return t->stock <= 2 || t->idle >= 24;
}

static void shuffle(int *deck) {
    for (int i = 0; i < 52; i++) deck[i] = i;
    for (int i = 51; i > 0; i--) { int j = below(i + 1), x = deck[i]; deck[i] = deck[j]; deck[j] = x; }
}
// Points of both; the deck is the beginner's hand, the other's, the upcard, the stock.
static void play_deal(const Player *players, const int *deck, int dealer, const int *need, const Rules *r, int *points) {
    Table t;
    memset(&t, 0, sizeof t);
    memcpy(t.deck, deck, sizeof t.deck);
    int p = 1 - dealer, done;
    for (int i = 0; i < 10; i++) { t.hand[p] |= BIT(deck[i]); t.hand[1 - p] |= BIT(deck[10 + i]); }
    t.at = 21; t.stock = 31; t.taken = -1;
    t.limit = r->oklahoma ? (deck[20] % 13 ? VALUE[deck[20]] : 0) : r->limit;
    t.need[0] = need[0]; t.need[1] = need[1];
    t.pile[0] = deck[20]; t.owner[0] = dealer; t.piled = 1; t.by[dealer] = BIT(deck[20]);
    points[0] = points[1] = 0;
    int drawing = 0;
    if (r->opening) {
        if (wants_top(players + p, &t, p, PASSED, r)) take_up(&t, p);
        else {
            remember(players + p, &t, p, PASSED);
            p = dealer;
            if (wants_top(players + p, &t, p, BOTH_PASSED, r)) take_up(&t, p);
            else {
                remember(players + p, &t, p, BOTH_PASSED);
                p = 1 - dealer;
                remember(players + p, &t, p, DRAWING);
                draw_card(&t, p);
            }
        }
        drawing = 1;
    }
    for (;;) {
        if (!drawing) {
            if (wants_top(players + p, &t, p, DRAWING, r)) take_up(&t, p);
            else { remember(players + p, &t, p, DRAWING); draw_card(&t, p); }
        }
        drawing = 0;
        done = end_turn(players + p, &t, p, r, points);
        if (done) return;
        p = 1 - p;
    }
}

// The winner of a match; the same decks come again for the same seed.
static int play_match(const Player *players, int dealer, u64 seed, const Rules *r, int *deals, double *odds) {
    int need[2] = {100, 100}, points[2], deck[52];
    for (int d = 0; d < 200; d++) {
        u64 keep = rng_state;
        rng_state = (seed * 1000 + d + 1) * 0x9E3779B97F4A7C15ULL; rnd(); rnd(); rnd();
        shuffle(deck);
        rng_state = keep;
        play_deal(players, deck, dealer, need, r, points);
        if (deals) ++*deals;
        if (odds && (points[0] || points[1])) odds[points[0] + points[1]]++;
        need[0] -= points[0]; need[1] -= points[1];
        if (need[0] <= 0 || need[1] <= 0) return need[0] <= 0 ? 0 : 1;
        if (points[0] || points[1]) dealer = 1 - dealer;
    }
    return need[0] <= need[1] ? 0 : 1;
}
