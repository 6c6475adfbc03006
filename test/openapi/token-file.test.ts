import { chmod, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTokenFile, writeTokenFile } from "../../openapi/oauth/token-file.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { testOnPosix } from "../platforms/needs.ts";

const VARIABLE = "OPENAPI_PET_AUTH_REFRESH_TOKEN_FILE";
const newFile = async () => ({ path: join(await makeTestFolder(), "token"), variable: VARIABLE });
const answerWith = (refreshToken?: string) => () => Promise.resolve({ accessToken: "a", refreshToken });

test("a token that is replaced is in the file, and nothing else is beside it", async () => {
  const file = await newFile();
  await writeTokenFile(file, "first");
  const asked: string[] = [];
  for (const next of ["second", undefined, "third"])
    await useTokenFile(file, (token) => {
      asked.push(token);
      return answerWith(next)();
    });
  expect(asked).toEqual(["first", "second", "second"]);
  expect(await readFile(file.path, "utf8")).toBe("third\n");
  expect(await readdir(join(file.path, ".."))).toEqual(["token"]);
});

test("of requests at the same time each has the token that the one before it got", async () => {
  const file = await newFile();
  await writeTokenFile(file, "0");
  const asked: string[] = [];
  const next = async (token: string) => {
    asked.push(token);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return answerWith(String(Number(token) + 1))();
  };
  await Promise.all(Array.from({ length: 5 }, () => useTokenFile(file, next)));
  expect(asked).toEqual(["0", "1", "2", "3", "4"]);
});

test("a request that fails leaves the file as it is, for the next one", async () => {
  const file = await newFile();
  await writeTokenFile(file, "first");
  await expect(useTokenFile(file, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  await useTokenFile(file, answerWith("second"));
  expect(await readFile(file.path, "utf8")).toBe("second\n");
});

test("the lock of a process that is gone does not last", async () => {
  const file = await newFile();
  await writeTokenFile(file, "first");
  await writeFile(`${file.path}.lock`, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${file.path}.lock`, longAgo, longAgo);
  await useTokenFile(file, answerWith("second"));
  expect(await readFile(file.path, "utf8")).toBe("second\n");
});

test("a lock of the future does not last either, and one that is held is left alone", async () => {
  const file = await newFile();
  await writeTokenFile(file, "first");
  await writeFile(`${file.path}.lock`, "");
  const inAnHour = new Date(Date.now() + 3_600_000);
  await utimes(`${file.path}.lock`, inAnHour, inAnHour);
  await useTokenFile(file, answerWith("second"));
  expect(await readFile(file.path, "utf8")).toBe("second\n");
  expect(await readdir(join(file.path, ".."))).toEqual(["token"]);
});

testOnPosix("modes of files")("the file is its account's alone, and is refused where it is not", async () => {
  const file = await newFile();
  await writeTokenFile(file, "first");
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  await chmod(file.path, 0o644);
  await expect(useTokenFile(file, answerWith())).rejects.toMatchObject({
    code: "CREDENTIAL_MISSING",
    message: `the file of ${VARIABLE} can be read by other accounts`,
  });
});

test.each(["", "two words", "x".repeat(70_000), "\u0000"])("what is no token is not sent (%#)", async (text) => {
  const file = await newFile();
  await writeFile(file.path, text, { mode: 0o600 });
  await expect(useTokenFile(file, answerWith())).rejects.toThrow("has no refresh token");
});

test("a file that is not there, or whose folder is not, is named with what to do", async () => {
  const file = await newFile();
  await expect(useTokenFile(file, answerWith())).rejects.toMatchObject({
    message: `the file of ${VARIABLE} cannot be read (ENOENT)`,
    hint: expect.stringContaining("--login"),
  });
  const nowhere = { ...file, path: join(file.path, "token") };
  await expect(writeTokenFile(nowhere, "a")).rejects.toMatchObject({
    message: `the file of ${VARIABLE} cannot be locked (ENOENT)`,
  });
});

test.each(["# A year of notes\n\nmore\n", '{ "mcpServers": {} }\n', "\u0000\u0001"])(
  "a file of the user is not replaced by a token (%#)",
  async (text) => {
    const file = await newFile();
    await writeFile(file.path, text);
    await expect(writeTokenFile(file, "token")).rejects.toMatchObject({
      message: expect.stringContaining(`${VARIABLE} exists, and holds something else`),
    });
    expect(await readFile(file.path, "utf8")).toBe(text);
  },
);
