import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** `codemode` as it was built, and stand-ins for `npx` and `npm` that take what is installed here. */
export async function writePrograms(folder: string): Promise<void> {
  const offlineNpm = join(import.meta.dirname, "offline-npm.mjs");
  const programs = {
    codemode: `${quote(resolve("dist/cli/main.js"))} "$@"`,
    npx: `${quote(offlineNpm)} ${quote(resolve("."))} exec "$@"`,
    npm: `${quote(offlineNpm)} ${quote(resolve("."))} "$@"`,
  };
  for (const [name, words] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${quote(process.execPath)} ${words}\n`, { mode: 0o755 });
  }
}

/** A quoted word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
