import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Recorded turns, one in each file, which has the digest of its request as its name. The file has the reply and what one needs to recognize the
 * request; headers, and with them the key, are never in it.
 */
export function makeCassettes(folder, secret) {
  const fileOf = (request) => join(folder, `${digestOf(request)}.json`);
  return {
    /** @throws where nothing is recorded for this request */
    async read(request) {
      const text = await readFile(fileOf(request), "utf8").catch(() => undefined);
      if (text !== undefined) return JSON.parse(text).reply;
      throw new Error(
        `No turn is recorded for this request in ${folder} (${digestOf(request)}): the prompt, the tools or an answer is another one now.\nThe request ends with: ${describeEnd(request)}\nRecord it again: --record with the same options.`,
      );
    },
    async write(request, reply) {
      await mkdir(folder, { recursive: true });
      const { model, messages } = request;
      const text = JSON.stringify({ model, messages: messages.length, endsWith: describeEnd(request), reply }, null, 2);
      const clean = secret === undefined ? text : text.replaceAll(secret, "[key]");
      await writeFile(fileOf(request), `${clean}\n`);
    },
  };
}

/** The same for the same request, in any order of its members. */
function digestOf(request) {
  return createHash("sha256")
    .update(JSON.stringify(sortMembers(request)))
    .digest("hex")
    .slice(0, 32);
}

function sortMembers(value) {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]));
}

function describeEnd({ messages }) {
  return JSON.stringify(messages.at(-1)).slice(0, 300);
}
