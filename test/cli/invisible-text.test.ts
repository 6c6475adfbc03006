import { expect, test } from "vitest";
import { printLog } from "../../cli/print/print-answer.ts";
import { formatLockfile, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { formatRecording } from "../../extras/record/recording-file.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import { formatPinnedBundle, parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";
import { RECORDING } from "../schemas/example-recording.ts";

/** What Unicode calls other than letters, marks, signs and space, without line feeds; of private use and halves of pairs some. */
const HIDDEN = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/u.test(character) && character !== "\n")
  .filter((_, index) => index < 300 || index % 997 === 0);
const HOSTILE = `a${HIDDEN.join("b")}c\u202etxt.exe\u{e0041}`;

const isClean = (text: string): boolean => !/[\p{Cf}\p{Cs}\p{Co}\u2028\u2029]|[^\P{Cc}\n]/u.test(text);

test("a lockfile shows what cannot be seen, and means the same", () => {
  const lockfile = lockfileOf({
    files: [
      {
        name: "x\u202ey",
        description: HOSTILE,
        inputSchema: { type: "object", properties: { [HOSTILE]: { description: HOSTILE } } },
      },
    ],
  });
  const text = formatLockfile(lockfile);
  expect(isClean(text)).toBe(true);
  expect(text).toContain("x\\u202ey");
  const read = parseLockfile(text, "x");
  expect(read).toEqual(parseLockfile(JSON.stringify(JSON.parse(text)), "x"));
  expect(read.servers.get("files")?.tools[0]?.description).toBe(HOSTILE);
  expect(formatLockfile(read)).toBe(text);
});

test("a recording and a pinned bundle do so too", () => {
  const recording = { ...RECORDING, input: { [HOSTILE]: HOSTILE } };
  const recorded = formatRecording(recording);
  expect(isClean(recorded)).toBe(true);
  expect(parseRecording(recorded, "x").input).toEqual(recording.input);

  const code = `export default ${JSON.stringify(HOSTILE)}`;
  const map = { version: 3 as const, mappings: "", names: [], sources: [HOSTILE], sourcesContent: [code] };
  const pinned = {
    name: "x.ts",
    bundle: { code, map, manifest: { tools: [] } },
    lockfileIntegrity: integrityOfText(""),
    madeBy: new Map<string, string>(),
  };
  const bundled = formatPinnedBundle(pinned);
  expect(isClean(bundled)).toBe(true);
  expect(parsePinnedBundle(bundled, "x").bundle.code).toBe(code);
});

test("what a script prints keeps its lines and tabs, and cannot turn a line around", () => {
  const message = printLog({ level: "log", message: `one\n\ttwo ${HOSTILE}`, timeMs: 0 });
  expect(message).toContain("one\n\ttwo ");
  expect(message).toContain("\\u202etxt.exe");
  expect(isClean(message.replaceAll("\t", ""))).toBe(true);
});
