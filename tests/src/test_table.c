/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests tables of texts. A CSV file that was written reads back the same, whatever its cells are. Damaged files are
 * refused, with the place of the damage. */
#include "tests/fixture.h"

#include "src/base/formats.h"
#include "src/results/table.h"

#include <unistd.h>

static Results results;
static char path[FIXTURE_PATH_SIZE];

static void write_text(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void texts_are_read_back(void **state) {
  (void)state;
  static const char *const cells[][3] = {{"0", "a,b", "1.5"},
                                         {"1", "say \"no\"", ""},
                                         {"2", "two\nlines\n", "-3e-5"},
                                         {"3", "a,b", "inf"},
                                         {"4", "", "7"}};
  static const TableColumn columns[] = {{.name = "run"}, {.name = "a, \"key\""}, {.name = "J"}};
  enum { ROWS = sizeof cells / sizeof *cells };
  Table table, again;
  assert_true(table_make(&table, 3, 1, true));
  for (int c = 0; c < 3; c++) assert_true(table_name(&table, c, "%s", columns[c].name));
  for (int row = 0; row < ROWS; row++) {
    assert_non_null(table_add_row(&table));
    for (int c = 0; c < 3; c++) assert_true(table_set_text(&table, c, cells[row][c], false));
  }
  assert_int_equal(table_write(&table, &results, "x.csv", columns, 0, NULL), 0);
  assert_int_equal(table_read_texts(&again, results.directory, "x.csv", NULL), 0);
  assert_int_equal(again.columns, 3);
  assert_int_equal(again.rows, ROWS);
  for (int c = 0; c < 3; c++) assert_string_equal(again.names[c], columns[c].name);
  for (int row = 0; row < ROWS; row++)
    for (int c = 0; c < 3; c++) assert_string_equal(table_text(&again, row, c), cells[row][c]);
  const double words[] = {0, 1, 2, 0, 3}; /* words get numbers in the order in which they appear */
  assert_true(!again.words[0] && again.words[1] && again.words[2]);
  for (int row = 0; row < ROWS; row++)
    assert_true(table_at(&again, row, 0) == row && table_at(&again, row, 1) == words[row]);
  table_clear(&table);
  table_clear(&again);
}

static void a_fault_has_its_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
    bool texts;
  } cases[] = {{"", "is empty", false},
               {"t,x\n1,2\n3,4", ":3:4: the file breaks off here", false},
               {"t,x\n1,2\n3,four\n", ":3:3: not a value", false},
               {"t,x\n1\n", ":2:2: fewer values than columns", false},
               {"t,x\n1,2,3\n", ":2:4: more values than columns", false},
               {"t,x\n1,\n", ":2:3: not a value", false},
               {"run,a\n0,b\n1\n", ":3:2: fewer values than columns", true},
               {"run,a\n0,b,c\n", ":2:4: more values than columns", true},
               {"run,a\n0,\"b\n", ":2:", true}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Table table;
    Diagnostics found = {0};
    write_text(cases[k].text);
    int code = cases[k].texts ? table_read_texts(&table, results.directory, "x.csv", &found)
                              : table_read(&table, results.directory, "x.csv", NULL, &found);
    if (k + 1 < sizeof cases / sizeof *cases) {
      assert_int_equal(code, EXIT_USAGE);
      assert_non_null(strstr(found.list[0].text, cases[k].message));
      assert_int_equal(table.columns, 0);
    }
    table_clear(&table);
    diagnostics_clear(&found);
  }
}

static void words_stand_for_numbers(void **state) {
  (void)state;
  static const char *const words[] = {"stick", "slip", NULL};
  Table table;
  write_text("state,t\nslip,1\nstick,2.5\n");
  assert_int_equal(table_read(&table, results.directory, "x.csv", words, NULL), 0);
  assert_true(table_at(&table, 0, 0) == 1 && table_at(&table, 1, 0) == 0 && table_at(&table, 1, 1) == 2.5);
  table_clear(&table);
  assert_int_equal(table_read(&table, results.directory, "none.csv", words, NULL), 0);
  assert_int_equal(table.columns, 0);
}

/* Reads back the columns and units of sweep.h5. */
static void units_are_read_back(void **state) {
  (void)state;
  static const TableColumn columns[] = {{.name = "run", .unit = "1", .kind = COLUMN_COUNT},
                                        {.name = "outcome"},
                                        {.name = "energy.work", .unit = "N m"},
                                        {.name = "J"}};
  static const char *const cells[] = {"0", "done", "2.5", "1"}, *const units[] = {"1", "", "N m", ""};
  Table table, again;
  char file[FIXTURE_PATH_SIZE];
  assert_true(table_make(&table, 4, 1, true));
  assert_non_null(table_add_row(&table));
  for (int c = 0; c < 4; c++) assert_true(table_name(&table, c, "%s", columns[c].name));
  for (int c = 0; c < 4; c++) assert_true(table_set_text(&table, c, cells[c], c == 1));
  assert_int_equal(table_write(&table, &results, "sweep.h5", columns, FORMAT_SWEEP, NULL), 0);
  assert_int_equal(table_read(&again, results.directory, "sweep.h5", NULL, NULL), 0);
  assert_true(again.columns == 4 && again.rows == 0);
  for (int c = 0; c < 4; c++) {
    int at = table_find(&again, columns[c].name);
    assert_true(at >= 0);
    assert_string_equal(table_unit(&again, at), units[c]);
  }
  table_clear(&table);
  table_clear(&again);
  fixture_path(results.directory, "sweep.h5", file);
  unlink(file);
}

static void rows_are_kept(void **state) {
  (void)state;
  Table table;
  write_text("run,a,b,J\n0,x,u,10\n1,y,u,11\n2,x,v,12\n3,y,v,13\n");
  assert_int_equal(table_read_texts(&table, results.directory, "x.csv", NULL), 0);
  assert_true(table_set_unit(&table, 3, "N") && table_set_unit(&table, 1, "m"));
  table_keep(&table, (const bool[]){false, true, false, true}, 1);
  assert_true(table.columns == 3 && table.rows == 2);
  static const char *const names[] = {"run", "b", "J"}, *const units[] = {"", "", "N"},
                           *const cells[][3] = {{"1", "u", "11"}, {"3", "v", "13"}};
  for (int c = 0; c < 3; c++) {
    assert_string_equal(table.names[c], names[c]);
    assert_string_equal(table_unit(&table, c), units[c]);
    assert_int_equal(table.words[c], c == 1);
    for (int row = 0; row < 2; row++) assert_string_equal(table_text(&table, row, c), cells[row][c]);
  }
  for (int row = 0; row < 2; row++)
    assert_true(table_at(&table, row, 1) == row && table_at(&table, row, 2) == 11 + 2 * row);
  table_clear(&table);
}

int main(void) {
  char directory[FIXTURE_DIRECTORY_SIZE];
  if (fixture_directory(directory)) return 1;
  snprintf(results.directory, sizeof results.directory, "%s", directory);
  fixture_path(directory, "x.csv", path);
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_read_back), cmocka_unit_test(a_fault_has_its_place),
                                     cmocka_unit_test(words_stand_for_numbers), cmocka_unit_test(units_are_read_back),
                                     cmocka_unit_test(rows_are_kept)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  rmdir(directory);
  return failed;
}
