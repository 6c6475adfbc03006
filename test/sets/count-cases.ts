/**
 * How many random cases a test tries. The long tests try a few, which find a fault that most cases show; `npm run test:cases` tries all, as a job
 * of CI and before a release.
 */
export function countCases(all: number, few: number): number {
  return process.env["TEST_CASES"] === "all" ? all : few;
}
