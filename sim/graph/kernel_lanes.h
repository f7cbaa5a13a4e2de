/* SPDX-License-Identifier: BSD-2-Clause */
/* The series of GRAPH_LANES motions side by side, for one instruction set. kernel_body.h includes this file. */

/* Returns the coefficients of a row as vectors: PARTS of them for each order. */
static inline Part *lanes_row(const GraphLanes *lanes, int row) { return (Part *)graph_lanes_row(lanes, row, 0); }

/* Returns part v of P of order k (tape.h), of the product of rows x and y. weighed: as in tape.h. ahead: terms of the
 * next order, set after even orders. */
static inline __attribute__((always_inline)) Part lanes_past(const Part *x, const Part *y, int k, bool weighed, int v,
                                                             Part *ahead) {
  Part sum = {0}, next = {0}, factor = x[PARTS + v];
  const Part *last = x + (k - 1) * PARTS;
  if (k == 1) return sum;
  if (k % 2) {
    Part end = last[v];
    if (weighed) end *= (double)(k - 1);
    sum = ahead[v] + factor * y[(k - 1) * PARTS + v] + end * y[PARTS + v];
  } else {
    for (int j = 1; j + 1 < k; j++) {
      const Part other = y[(k - j) * PARTS + v];
      sum += factor * other;
      factor = x[(j + 1) * PARTS + v];
      if (weighed) factor *= (double)(j + 1);
      next += factor * other;
    }
    sum += factor * y[PARTS + v];
    ahead[v] = next;
  }
  if (weighed) sum *= 1.0 / k;
  return sum;
}

static void lanes_other(GraphLanes *lanes, int k, int i) {
  const GraphTape *tape = lanes->tape;
  const GraphLink *link = &tape->links[i];
  const Part *a = lanes_row(lanes, link->a), *b = lanes_row(lanes, link->b);
  const Part *x = lanes_row(lanes, tape->x_row[link->m]), *y = lanes_row(lanes, tape->y_row[link->m]);
  const Part *alpha = (const Part *)&lanes->alpha[i], *beta = (const Part *)&lanes->beta[i],
             *gamma = (const Part *)&lanes->gamma[i];
  Part *made = lanes_row(lanes, tape->first + i) + k * PARTS, *ahead = (Part *)&lanes->ahead[link->m];
  for (int v = 0; v < PARTS; v++) {
    Part past = lanes->weighed[link->m] ? lanes_past(x, y, k, true, v, ahead) : lanes_past(x, y, k, false, v, ahead);
    made[v] = alpha[v] * a[k * PARTS + v] + beta[v] * b[k * PARTS + v] + gamma[v] * past;
  }
}

static void lanes_advance(GraphLanes *lanes, int k) {
  const GraphTape *tape = lanes->tape;
  const GraphLink *links = tape->links;
  const double *f = lanes->first->alpha, *g = lanes->first->beta;
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++)
    for (int i = run->first; i < run->end; i++) {
      const Part *a = lanes_row(lanes, links[i].a), *b = lanes_row(lanes, links[i].b);
      Part *made = lanes_row(lanes, tape->first + i) + k * PARTS;
      if (run->form == FORM_SUM)
        for (int v = 0; v < PARTS; v++) made[v] = f[i] * a[k * PARTS + v] + g[i] * b[k * PARTS + v];
      else if (run->form == FORM_PRODUCT) /* the slopes of a product are its factors of order 0 */
        for (int v = 0; v < PARTS; v++)
          made[v] = b[v] * a[k * PARTS + v] + a[v] * b[k * PARTS + v] +
                    lanes_past(a, b, k, false, v, (Part *)&lanes->ahead[links[i].m]);
      else
        lanes_other(lanes, k, i);
    }
}

static void lanes_take(GraphLanes *lanes, int k) {
  const GraphTape *tape = lanes->tape;
  const Part *slopes = (const Part *)lanes->slopes;
  for (int i = 0; i < tape->n_carried; i++) {
    Part *row = lanes_row(lanes, tape->carried[i]) + k * PARTS;
    for (int v = 0; v < PARTS; v++) {
      Part sum = {0};
      for (int j = 0; j < tape->n_late; j++)
        sum += lanes_row(lanes, tape->late[j])[k * PARTS + v] * slopes[(j * tape->n_carried + i) * PARTS + v];
      row[v] += sum;
    }
  }
}
