import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countCases } from "../sets/count-cases.ts";

const PROGRAMS = countCases(500, 200);
const PROGRAM = fileURLToPath(new URL("./run.mjs", import.meta.url));

test(`${PROGRAMS} mutated programs are bundled, or refused with a place, as plain Node takes or refuses them`, async () => {
  const options = [PROGRAM, "--seed", "15", "--count", String(PROGRAMS)];
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, options, (error, stdout) => resolve({ code: error?.code ?? 0, stdout }));
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^bundled: \d{2,3}$/m) as string });
}, 120_000);
