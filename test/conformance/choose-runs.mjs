/** The options of each run of the suite: the command line's own, or one run for each revision against its baseline. */
export function chooseRuns(baselineOf) {
  const chosen = process.argv.slice(2);
  if (chosen.length > 0) return [chosen];
  return ["2025-11-25", "2026-07-28"].map((revision) => [
    "--requirements",
    revision,
    "--expected-failures",
    baselineOf(revision),
  ]);
}
