/* Tables of texts: what is written as CSV is read back, whatever stands in the cells; damaged files are refused where they break. */
#include "tests/fixture.h"

#include "src/base/exit_code.h"
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
  const double words[] = {0, 1, 2, 0, 3}; /* by their first appearance */
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

int main(void) {
  char directory[FIXTURE_DIRECTORY_SIZE];
  if (fixture_directory(directory)) return 1;
  snprintf(results.directory, sizeof results.directory, "%s", directory);
  fixture_path(directory, "x.csv", path);
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_read_back), cmocka_unit_test(a_fault_has_its_place),
                                     cmocka_unit_test(words_stand_for_numbers)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  rmdir(directory);
  return failed;
}
