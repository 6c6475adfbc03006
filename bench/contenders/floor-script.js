import { writeBody } from "./write-script.js";

/** The work as a script of a floor, whose calls block: its value is its last expression's. */
export function floorScript(work) {
  const { calls, parallel = false, bytes, through = false } = work;
  if (bytes !== undefined)
    return inFunction(`const all = call("rows", { bytes: ${bytes} });\n`, through ? "all" : "all.rows.length");
  if (parallel) {
    const inputs = `Array.from({ length: ${calls} }, () => ({ message: "hello" }))`;
    return inFunction(`const last = callAll("echo", ${inputs});\n`, "last.length");
  }
  const { statements, remark } = writeBody(work, 'call("echo", { message: "hello" })');
  return `${inFunction(statements.replaceAll("await ", ""), "last ?? 1")}${remark}`;
}

function inFunction(statements, value) {
  return `(() => {\n${statements}return ${value};\n})()`;
}
