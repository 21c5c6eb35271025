"""check_rows.py complains when it should."""

import unittest

from check_rows import compare, covered_by, forgotten, left_out, rows_of

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

    def test_what_the_reference_names_needs_a_row_or_a_reason(self):
        spec = ("### 1.1 Flavor\n| field | default |\n|---|---|\n| nodeLabels | {} |\n"
                "| a / …b[] | 1 |\n"
                "### 10.5 Eviction\nEvicted reasons: Preempted, Lost, Deactivated (with causes)\n"
                "### 9.1 Elsewhere\n")
        rows = ["1.1 nodeLabels", "1.1 a", "10.5 Preempted", "10.5 Deactivated"]
        self.assertEqual(forgotten(rows, [], spec), ["no row for: 1.1 b", "no row for: 10.5 Lost"])
        out = left_out("# out: 1.1 b, 10.5 Lost\n10.5 Preempted\n")
        self.assertEqual(forgotten(rows, out, spec), [])

    def test_a_section_needs_a_row(self):
        self.assertEqual(forgotten([], [], "## 8. Fair sharing (KEP)\n"), ["no row for: 8"])


if __name__ == "__main__":
    unittest.main()
