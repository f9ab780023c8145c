// Trains the networks by playing: with themselves, with easy, and with scripts of all kinds.
// TD(lambda) and Adam. README.md tells how to call it.
#include "play.h"
#include <time.h>

static Net net, grad, m1, m2;
#define FLOATS(T) (sizeof(T) / sizeof(float))

static void start(void) {
    float *w = (float *)&net;
    memset(w, 0, sizeof net);
#define FILL(a, scale) for (size_t i = 0; i < FLOATS(a); i++) ((float *)a)[i] = (uniform() * 2 - 1) * scale
    FILL(net.v.w1, 0.1); FILL(net.v.w2, 0.15); FILL(net.v.w3, 0.1);
    FILL(net.k.w1, 0.1); FILL(net.k.w2, 0.1); FILL(net.h.w1, 0.1); FILL(net.h.w2, 0.1);
}
static void adam(float *w, float *g, float *m, float *v, size_t n, float lr, int step, int batch) {
    float c1 = 1 / (1 - powf(0.9f, step)), c2 = 1 / (1 - powf(0.999f, step)), inv = 1.0f / batch;
    for (size_t i = 0; i < n; i++) {
        float x = g[i] * inv;
        m[i] = 0.9f * m[i] + 0.1f * x;
        v[i] = 0.999f * v[i] + 0.001f * x * x;
        w[i] -= lr * m[i] * c1 / (sqrtf(v[i] * c2) + 1e-8f);
    }
    memset(g, 0, n * sizeof(float));
}
static double learn_value(const Lived *l) {
    int at[MAXACT], n = shared_inputs(&l->p.s, l->p.phase, at);
    n += own_inputs(&l->p.s, l->p.phase, l->p.hand, l->p.top, at + n);
    Value *v = &net.v, *g = &grad.v;
    float a[H1], d1[H1] = {0}, out = v->b3, x[H2];
    memcpy(a, v->b1, sizeof a);
    add_rows(a, v->w1, at, n);
    for (int j = 0; j < H1; j++) a[j] = leaky(a[j]);
    for (int i = 0; i < H2; i++) {
        float s = v->b2[i];
        for (int j = 0; j < H1; j++) s += v->w2[i][j] * a[j];
        x[i] = s;
        out += v->w3[i] * leaky(s);
    }
    float e = out - l->target;
    g->b3 += e;
    for (int i = 0; i < H2; i++) {
        g->w3[i] += e * leaky(x[i]);
        float d = e * v->w3[i] * (x[i] > 0 ? 1 : 0.05f);
        g->b2[i] += d;
        for (int j = 0; j < H1; j++) { g->w2[i][j] += d * a[j]; d1[j] += d * v->w2[i][j]; }
    }
    for (int j = 0; j < H1; j++) { d1[j] *= a[j] > 0 ? 1 : 0.05f; g->b1[j] += d1[j]; }
    for (int i = 0; i < n; i++) { float *row = g->w1[at[i]]; for (int j = 0; j < H1; j++) row[j] += d1[j]; }
    return e * e;
}
static double learn_knock(const Knocked *q) {
    float odds[BINS], a[H1], d1[H1] = {0}; int at[MAXACT], n;
    Knock *k = &net.k, *g = &grad.k;
    deadwood_odds(k, &q->p, odds, a, at, &n);
    double loss = -log(odds[q->bin] + 1e-9);
    odds[q->bin] -= 1;
    for (int i = 0; i < BINS; i++) {
        g->b2[i] += odds[i];
        for (int j = 0; j < H1; j++) { g->w2[i][j] += odds[i] * a[j]; d1[j] += odds[i] * k->w2[i][j]; }
    }
    for (int j = 0; j < H1; j++) { d1[j] *= a[j] > 0 ? 1 : 0.05f; g->b1[j] += d1[j]; }
    for (int i = 0; i < n; i++) { float *row = g->w1[at[i]]; for (int j = 0; j < H1; j++) row[j] += d1[j]; }
    return loss;
}

static double learn_hand(const Lived *l) {
    float odds[52], a[H1], d1[H1] = {0}; int at[MAXACT], c;
    Hand *k = &net.h, *g = &grad.h;
    int n = hand_odds(k, &l->p, odds, a, at);
    const Seen *s = &l->p.s;
    u64 hidden = PACK & ~(l->p.hand | s->known | s->theirs | s->mine | BIT(l->p.top));
    double loss = 0;
    EACH(c, hidden) {
        int in = l->others >> c & 1;
        float p = 1 / (1 + expf(-odds[c])), e = p - in;
        loss -= logf((in ? p : 1 - p) + 1e-9f) / COUNT(hidden);
        g->b2[c] += e;
        for (int j = 0; j < H1; j++) { g->w2[c][j] += e * a[j]; d1[j] += e * k->w2[c][j]; }
    }
    for (int j = 0; j < H1; j++) { d1[j] *= a[j] > 0 ? 1 : 0.05f; g->b1[j] += d1[j]; }
    for (int i = 0; i < n; i++) { float *row = g->w1[at[i]]; for (int j = 0; j < H1; j++) row[j] += d1[j]; }
    return loss;
}

static Script a_script(void) {
    static const int knocks[] = {10, 10, 10, 10, 7, 5, 4, 3, 2, 1};
    Script s = {0};
    s.early = knocks[below(10)]; s.late = knocks[below(10)]; s.until = 8 + below(20);
    if (below(2)) s.early = s.late = 10;
    s.taking = below(3) ? 99 : 4 + below(8);
    s.outs = below(3) ? uniform() * 2 : 0; s.danger = below(3) ? uniform() * 1.2 : 0;
    s.gin = below(4) ? 0 : 2 + below(16);
    return s;
}
#define LIVED 400000
static Lived lived[LIVED]; static Knocked knocked[LIVED];
static float lambda = 0.8f;

static void a_deal(Player *pl, const Rules *r, Memory *mem) {
    int deck[52], need[2], points[2], from = mem->n;
    shuffle(deck);
    // needs as matches have them: often both 100, else anything
    for (int p = 0; p < 2; p++) need[p] = below(10) < 3 ? 100 : 1 + below(100);
    if (below(4) == 0) need[0] = need[1] = 100;
    TIE_UNDERCUT = r->tie_undercut;
    memory = mem;
    play_deal(pl, deck, below(2), need, r, points);
    memory = 0; TIE_UNDERCUT = 1;
    float back[2]; int first[2] = {1, 1};
    for (int i = mem->n - 1; i >= from; i--) {
        Lived *l = mem->lived + i; int p = (int)l->target;
        if (first[p]) { back[p] = gain(need[p], need[1 - p], points[p], points[1 - p]); first[p] = 0; }
        l->target = back[p];
        back[p] = (1 - lambda) * l->value + lambda * back[p];
    }
}
// The chances of a match, from the points of deals between two easy players.
static void points_of_easy(void) {
    double odds[400] = {0};
    Player both[2] = {EASY, EASY};
    Rules research = {1, 0, 1, 10, 0};
    for (int i = 1; i < MAXSCORE; i++) for (int j = 1; j < MAXSCORE; j++) EQUITY[i][j] = 0.5;
    for (int m = 0; m < 20000; m++) play_match(both, m & 1, m, &research, 0, odds);
    solve_equity(odds, 159);
}
int main(int argc, char **argv) {
    tables();
    if (argc < 3) return fprintf(stderr, "train NET SECONDS [NET TO BEGIN FROM] [RATE] [NOISE]\n"), 2;
    points_of_easy();
    FILE *f = fopen("equity.bin", "wb");
    fwrite(EQUITY, sizeof EQUITY, 1, f);
    fclose(f);
    rng_state ^= time(0) * 7919ULL;
    start();
    if (argc > 3) { f = fopen(argv[3], "rb"); if (fread(&net, 1, sizeof net, f) < sizeof net - sizeof net.h) return 1; fclose(f); }
    double limit = atof(argv[2]), lr0 = argc > 4 ? atof(argv[4]) : 0.001; time_t began = time(0), told = began;
    float noise = argc > 5 ? atof(argv[5]) : 0.02;
    Memory mem = {lived, 0, LIVED - 200, knocked, 0, LIVED};
    int step = 0; long deals = 0; double loss = 0, kloss = 0; long nl = 0, nk = 0, nh = 0; double hloss = 0;
    for (;;) {
        double part = (time(0) - began) / limit;
        if (part >= 1) part = 1;
        float lr = lr0 * (part < 0.6 ? 1 : 1 - (part - 0.6) / 0.4 * 0.97);
        lambda = argc > 3 || part > 0.15 ? 0.7 : 0.95;
        mem.n = mem.nk = 0;
        while (mem.n < 60000) {
            Rules r = {1, 0, 1, 10, 0};
            if (below(4) == 0) { r.opening = below(2); r.tie_undercut = below(2); r.oklahoma = below(3) == 0; if (below(3) == 0) r.limit = below(11); }
            Player pl[2] = {{&net, {0}, noise, 0}, {&net, {0}, noise, 0}};
            int kind = below(100), who = below(2);
            if (kind < 35) pl[who] = EASY;
            else if (kind < 65) pl[who] = (Player){0, a_script(), 0, 0};
            a_deal(pl, &r, &mem);
            deals++;
        }
        for (int i = mem.n - 1; i > 0; i--) { int j = below(i + 1); Lived x = lived[i]; lived[i] = lived[j]; lived[j] = x; }
        for (int i = mem.nk - 1; i > 0; i--) { int j = below(i + 1); Knocked x = knocked[i]; knocked[i] = knocked[j]; knocked[j] = x; }
        int batch = 500, kdone = 0;
        for (int i = 0; i + batch <= mem.n; i += batch) {
            step++;
            for (int b = 0; b < batch; b++) loss += learn_value(lived + i + b);
            nl += batch;
            for (int b = 0; b < batch; b += 3) hloss += learn_hand(lived + i + b), nh++;
            adam((float *)&net.h, (float *)&grad.h, (float *)&m1.h, (float *)&m2.h, FLOATS(Hand), lr, step, batch / 3);
            adam((float *)&net.v, (float *)&grad.v, (float *)&m1.v, (float *)&m2.v, FLOATS(Value), lr, step, batch);
            int upto = (long)mem.nk * (i + batch) / mem.n, count = upto - kdone;
            for (; kdone < upto; kdone++) kloss += learn_knock(knocked + kdone), nk++;
            if (count > 0) adam((float *)&net.k, (float *)&grad.k, (float *)&m1.k, (float *)&m2.k, FLOATS(Knock), lr, step, count);
        }
        if (time(0) - told >= 90 || part >= 1) {
            told = time(0);
            Player pl[2] = {{&net, {0}, 0, 0}, EASY}; Rules r = {1, 0, 1, 10, 0};
            int won = 0, n = part >= 1 ? 4000 : 1000;
            for (int m = 0; m < n; m++) { pl[m & 1] = (Player){&net, {0}, 0, 0}; pl[1 - (m & 1)] = EASY; won += play_match(pl, (m >> 1) & 1, m / 2, &r, 0, 0) == (m & 1); }
            printf("%5ld s %ld deals, loss %.4f knock %.3f hand %.4f, against easy %.1f %%\n", time(0) - began, deals, loss / nl, kloss / nk, hloss / nh, 100.0 * won / n);
            fflush(stdout);
            loss = kloss = hloss = 0; nl = nk = nh = 0;
            f = fopen(argv[1], "wb"); fwrite(&net, sizeof net, 1, f); fclose(f);
            if (part >= 1) return 0;
        }
    }
}
