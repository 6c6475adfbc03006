import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

interface Note {
  id: number;
  body: string;
  author: { id: number };
}

/** The notes of one merge request, for the account of one token. */
async function startGitLab(notes: Note[]): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((json) => {
      const { method = "", url = "", headers } = request;
      if (headers["private-token"] !== "token-of-the-note") return response.writeHead(401).end("{}");
      const [path] = url.split("?");
      const id = /^\/api\/v4\/projects\/5\/merge_requests\/8\/notes\/(\d+)$/.exec(path ?? "")?.[1];
      const { body = "" } = json === "" ? {} : (JSON.parse(json) as { body?: string });
      if (path === "/api/v4/user") return response.end('{"id":42}');
      if (method === "PUT" && id !== undefined)
        Object.assign(notes.find((note) => note.id === Number(id)) ?? {}, { body });
      if (method === "POST") notes.push({ id: 100 + notes.length, body, author: { id: 42 } });
      return response.end(JSON.stringify(method === "GET" ? notes : {}));
    });
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => new Promise<void>((settle) => void server.close(() => settle())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`;
}

test("a merge request gets one note of the token's account, which is updated; without a token there is none", async () => {
  const folder = await makeTestFolder();
  const marker = "<!-- codemode review . -->";
  const notes: Note[] = [{ id: 1, body: `${marker}\nof another account`, author: { id: 7 } }];
  const env = {
    CI_API_V4_URL: await startGitLab(notes),
    CI_PROJECT_ID: "5",
    CI_MERGE_REQUEST_IID: "8",
    REVIEW_RESULT: join(folder, "review.json"),
  };
  const review = async (summary: string, token: object = { REVIEW_TOKEN: "token-of-the-note" }) => {
    await writeFile(env.REVIEW_RESULT, JSON.stringify({ name: ".", code: 3, isQuiet: false, summary }));
    const note = resolve("action/gitlab/note.mjs");
    return (await promisify(execFile)(process.execPath, [note], { env: { ...env, ...token } })).stdout;
  };
  expect(await review(`${marker}\none`, {})).toContain("REVIEW_TOKEN is not set");
  expect(await review(`${marker}\none`)).toBe("Note: created.\n");
  expect(await review(`${marker}\none\n`)).toBe("Note: unchanged.\n");
  expect(await review(`${marker}\ntwo`)).toBe("Note: updated.\n");
  expect(notes.map(({ body }) => body)).toEqual([`${marker}\nof another account`, `${marker}\ntwo`]);
});
