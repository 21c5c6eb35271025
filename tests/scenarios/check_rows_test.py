"""check_rows.py complains when it should."""

import unittest

from check_rows import compare, covered_by, rows_of

SCENARIO = "# A job retries.\n# covers: 10.2 Retry,\n# 3.8 requeueAt\napiVersion: v1\n"


class CheckRows(unittest.TestCase):
    def test_covers_goes_on_over_lines(self):
        self.assertEqual(covered_by(SCENARIO), ["10.2 Retry", "3.8 requeueAt"])

    def test_rows_are_lines_without_comments(self):
        self.assertEqual(rows_of("# 10\n10.2 Retry\n\n"), ["10.2 Retry"])

    def test_a_row_without_a_scenario_is_a_complaint(self):
        complaints = compare(["10.2 Retry", "3.8 requeueAt", "10.2 Ready"], {"a.yaml": SCENARIO})
        self.assertEqual(complaints, ["no scenario covers: 10.2 Ready"])

    def test_a_name_that_is_no_row_is_a_complaint(self):
        complaints = compare(["10.2 Retry"], {"a.yaml": SCENARIO})
        self.assertEqual(complaints, ["a.yaml: covers what is no row: 3.8 requeueAt"])

    def test_a_row_that_stands_twice_is_a_complaint(self):
        rows = ["10.2 Retry", "3.8 requeueAt", "10.2 Retry"]
        self.assertEqual(len(compare(rows, {"a.yaml": SCENARIO})), 1)


if __name__ == "__main__":
    unittest.main()
