/** The options of each run of the suite: the command line's own, or one run for each revision against its baseline, and what goes beyond. */
export function chooseRuns(baselineOf, further = []) {
  const chosen = process.argv.slice(2);
  if (chosen.length > 0) return [chosen];
  const required = ["2025-11-25", "2026-07-28"].map((revision) => [
    "--requirements",
    revision,
    "--expected-failures",
    baselineOf(revision),
  ]);
  return [...required, ...further.map((suite) => ["--suite", suite, "--expected-failures", baselineOf(suite)])];
}
