import { writeBody } from "./write-script.js";

/** The work as a script for codemode. */
export function codemodeScript(work) {
  if (work.printed) {
    const call = `last = (await printed_rows({ bytes: ${work.bytes} })).length`;
    return `import { printed_rows } from "@codemode/servers/payload";\nlet last = 0;\nfor (let i = 0; i < ${work.calls}; i += 1) ${call};\nexport default last;\n`;
  }
  if (work.bytes !== undefined) {
    const value = work.through ? "all" : "all.rows.length";
    return `import { rows } from "@codemode/servers/payload";\nconst all = await rows({ bytes: ${work.bytes} });\nexport default ${value};\n`;
  }
  const { statements, remark } = writeBody(work, 'echo({ message: "hello" })');
  const imports = work.calls === 0 ? "" : 'import { echo } from "@codemode/servers/everything";\n';
  return `${imports}${work.calls === 0 ? "const last = 1;\n" : statements}export default last;${remark}\n`;
}
