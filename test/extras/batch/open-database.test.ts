import { expect, test } from "vitest";
import { describeUrl, isDatabase, openJournalDatabase } from "../../../extras/batch/claims/open-database.ts";

test("a journal is a database by its scheme, and otherwise a file", () => {
  const journals = ["postgres://h/d", "PostgreSQL://h/d", "postgres.journal", "./postgres:", undefined];
  expect(journals.map(isDatabase)).toEqual([true, true, false, false, false]);
});

test.each([
  ["postgres://me:s3cret@db:5432/jobs", "db:5432/jobs", ["s3cret"]],
  ["postgres://me:s%40cret@db/jobs?sslmode=disable", "db/jobs", ["s%40cret", "s@cret"]],
  ["postgres:///jobs?host=/run/postgresql&password=s3cret", "/run/postgresql/jobs", ["s3cret"]],
  ["postgres://me:s3cret@db:x/jobs", "the journal", ["s3cret"]],
])("of %s messages show the place alone", (url, place, secrets) => {
  const described = describeUrl(url);
  expect(described.place).toBe(place);
  expect(described.secrets).toEqual(expect.arrayContaining([url, ...secrets]));
});

test.each(["postgres://me:s3cret@127.0.0.1:1/jobs", "postgres://me:s3cret@127.0.0.1:x/jobs"])(
  "a database that cannot be reached is one line without the password of %s",
  async (url) => {
    const tried = openJournalDatabase(url).then(({ query }) => query("SELECT 1"));
    const error = (await tried.catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code: "JOURNAL_UNREACHABLE", exitCode: 1 });
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("s3cret");
  },
);
