// A small network over sparse 0/1 inputs: the value of a position, and the other's deadwood at a knock.
#include "cards.h"

enum { MELDED = 0, LOOSEC = 52, KNOWN = 104, THEIRS = 156, MINE = 208, OUTS = 260, TOP = 312,
       DEADWOOD = 364, STOCK = 415, PHASE = 447, LIMIT = 451, NOUTS = 462, NLOOSE = 478,
       NEED = 489, OTHERS_NEED = 499, WAYS = 509, NKNOWN = 519, GINS = 525, INPUTS = 538 };
enum { THROWN = 0, DRAWING = 1, PASSED = 2, BOTH_PASSED = 3 };
#ifndef H1
#define H1 96
#endif
#define H2 32
#define BINS 48
#define MAXACT 96

typedef struct { float w1[INPUTS][H1], b1[H1], w2[H2][H1], b2[H2], w3[H2], b3; } Value;
typedef struct { float w1[INPUTS][H1], b1[H1], w2[BINS][H1], b2[BINS]; } Knock;
typedef struct { float w1[INPUTS][H1], b1[H1], w2[52][H1], b2[52]; } Hand;
typedef struct { Value v; Knock k; Hand h; } Net;

// What one player sees.
typedef struct { u64 known, theirs, mine; int stock, limit, need, others, nknown; } Seen;
typedef struct { Seen s; u64 hand; int8_t top, phase; } Position;

static inline int bucket(int need) { int b = (need - 1) / 10; return b < 0 ? 0 : b > 9 ? 9 : b; }

static int shared_inputs(const Seen *s, int phase, int *at) {
    int n = 0, c;
    EACH(c, s->known) at[n++] = KNOWN + c;
    EACH(c, s->theirs) at[n++] = THEIRS + c;
    EACH(c, s->mine) at[n++] = MINE + c;
    at[n++] = STOCK + s->stock;
    at[n++] = PHASE + phase;
    at[n++] = LIMIT + s->limit;
    at[n++] = NEED + bucket(s->need);
    at[n++] = OTHERS_NEED + bucket(s->others);
    at[n++] = NKNOWN + (s->nknown > 5 ? 5 : s->nknown);
    return n;
}
// How many of these cards would make gin of ten.
static int gins(u64 hand, u64 outs) {
    int n = 0, c, x;
    EACH(c, outs) {
        u64 all = hand | BIT(c), melded = in_melds(all), loose = all ^ melded;
        if (COUNT(loose) > 1) continue;
        if (loose) { n += !deadwood(melded); continue; }
        EACH(x, hand) if (!deadwood(all ^ BIT(x))) { n++; break; }
    }
    return n;
}
static int own_inputs(const Seen *s, int phase, u64 hand, int top, int *at) {
    int n = 0, c;
    u64 melded = in_melds(hand), loose = hand ^ melded;
    u64 hidden = PACK & ~(hand | s->known | s->theirs | s->mine | BIT(top)), outs = completing(hand) & hidden;
    int dw = deadwood(hand), k = COUNT(outs), w = ways(top, hidden | s->known);
    EACH(c, melded) at[n++] = MELDED + c;
    EACH(c, loose) at[n++] = LOOSEC + c;
    EACH(c, outs) at[n++] = OUTS + c;
    at[n++] = TOP + top;
    at[n++] = DEADWOOD + (dw > 50 ? 50 : dw);
    at[n++] = NOUTS + (k > 15 ? 15 : k);
    at[n++] = NLOOSE + COUNT(loose);
    int g = COUNT(loose) > 4 ? 0 : gins(hand, outs);
    at[n++] = GINS + (g > 12 ? 12 : g);
    at[n++] = WAYS + (w > 9 ? 9 : w);
    return n;
}
static inline void add_rows(float *acc, float (*w)[H1], const int *at, int n) {
    for (int i = 0; i < n; i++) {
        const float *row = w[at[i]];
        for (int j = 0; j < H1; j++) acc[j] += row[j];
    }
}
static inline float leaky(float x) { return x > 0 ? x : 0.05f * x; }
static float value_of(const Value *v, const float *base, const Seen *s, int phase, u64 hand, int top) {
    int at[MAXACT], n = own_inputs(s, phase, hand, top, at);
    float acc[H1], out = v->b3;
    memcpy(acc, base, sizeof acc);
    add_rows(acc, (float(*)[H1])v->w1, at, n);
    for (int j = 0; j < H1; j++) acc[j] = leaky(acc[j]);
    for (int i = 0; i < H2; i++) {
        float x = 0;
        for (int j = 0; j < H1; j++) x += v->w2[i][j] * acc[j];
        out += v->w3[i] * leaky(x + v->b2[i]);
    }
    return out;
}
static void base_of(const Value *v, const Seen *s, int phase, float *base) {
    int at[MAXACT], n = shared_inputs(s, phase, at);
    memcpy(base, v->b1, sizeof(float) * H1);
    add_rows(base, (float(*)[H1])v->w1, at, n);
}
static float value_at(const Value *v, const Position *p) {
    float base[H1];
    base_of(v, &p->s, p->phase, base);
    return value_of(v, base, &p->s, p->phase, p->hand, p->top);
}
// Chances of the other's deadwood after lay-offs, where these ten cards are laid.
static void deadwood_odds(const Knock *k, const Position *p, float *odds, float *hidden, int *at, int *count) {
    int n = shared_inputs(&p->s, p->phase, at);
    n += own_inputs(&p->s, p->phase, p->hand, p->top, at + n);
    memcpy(hidden, k->b1, sizeof(float) * H1);
    add_rows(hidden, (float(*)[H1])k->w1, at, n);
    for (int j = 0; j < H1; j++) hidden[j] = leaky(hidden[j]);
    float most = -1e9, sum = 0;
    for (int i = 0; i < BINS; i++) {
        float x = k->b2[i];
        for (int j = 0; j < H1; j++) x += k->w2[i][j] * hidden[j];
        odds[i] = x;
        if (x > most) most = x;
    }
    for (int i = 0; i < BINS; i++) sum += odds[i] = expf(odds[i] - most);
    for (int i = 0; i < BINS; i++) odds[i] /= sum;
    *count = n;
}

// For each card the log-odds that it is in the other hand; only those not seen mean anything.
static int hand_odds(const Hand *k, const Position *p, float *odds, float *hidden, int *at) {
    int n = shared_inputs(&p->s, p->phase, at);
    n += own_inputs(&p->s, p->phase, p->hand, p->top, at + n);
    memcpy(hidden, k->b1, sizeof(float) * H1);
    add_rows(hidden, (float(*)[H1])k->w1, at, n);
    for (int j = 0; j < H1; j++) hidden[j] = leaky(hidden[j]);
    for (int i = 0; i < 52; i++) {
        float x = k->b2[i];
        for (int j = 0; j < H1; j++) x += k->w2[i][j] * hidden[j];
        odds[i] = x;
    }
    return n;
}
