import { readFile } from "node:fs/promises";
import { printPage } from "../../../report/print-page.ts";
import type { RunReport } from "../../../schemas/run/run-report.ts";
import { writeTextAtomically } from "../../project/files.ts";

/** Logs and sources are nobody else's business. */
const OWNER_ONLY = 0o600;

/** What `scripts/build-page-files.js` makes. */
const STYLE = new URL("../../../report/page/report.css", import.meta.url);
const SCRIPT = new URL("../../../report/page/report.js", import.meta.url);

/** Writes a report as one page that needs nothing else. */
export async function writeReport(file: string, report: RunReport): Promise<void> {
  const [style, script] = await Promise.all([readFile(STYLE, "utf8"), readFile(SCRIPT, "utf8")]);
  await writeTextAtomically(file, printPage(report, { style, script }), OWNER_ONLY);
}
