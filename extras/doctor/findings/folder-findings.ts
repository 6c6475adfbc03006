import type { Finding } from "../doctor-report.ts";
import type { FolderFacts } from "../probes/probe-folders.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import { printBytes } from "./print-amounts.ts";

const SUBJECTS: Record<FolderFacts["id"], string> = {
  cache: "cache",
  project: "record of the project",
  credentials: "logins",
};

export function evaluateFolders(folders: readonly FolderFacts[]): Finding[] {
  return folders.map(evaluateFolder);
}

function evaluateFolder({ id, path, bytes, files, openTo }: FolderFacts): Finding {
  const finding = { id: `cache.${id}`, subject: SUBJECTS[id] };
  if (bytes === undefined || files === undefined) return { ...finding, status: "info", found: `no folder ${path} yet` };
  const facts = { folder: path, bytes, files };
  const found = `${printBytes(bytes)} in ${countOf(files, "file")} in ${path}`;
  if (openTo.length === 0) return { ...finding, status: "ok", found, facts };
  const hint = openTo.includes("a link")
    ? `Make ${path} a folder.`
    : `Run \`chmod 700 ${path}\` as its owner, or remove it.`;
  return {
    ...finding,
    // Code from an open cache is not used; a login in an open folder is.
    status: id === "credentials" ? "problem" : "warning",
    found: `${found}, which is ${openTo.includes("a link") ? "a link" : `open to ${openTo.join(" and ")}`}`,
    hint,
    facts: { ...facts, openTo: [...openTo] },
  };
}
