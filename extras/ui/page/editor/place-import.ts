/** A change of a text, in UTF-16 units from 0. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** What has to change so that a name is imported; undefined where it is already. */
export function placeImport(code: string, specifier: string, name: string): TextChange | undefined {
  const statement = /^import\s*\{([^{}]*)\}\s*from\s*["']([^"'\n]*)["'].*$/gm;
  let end = 0;
  for (const match of code.matchAll(statement)) {
    const [text, names = "", from] = match;
    end = match.index + text.length;
    if (from !== specifier) continue;
    if (names.split(",").some((written) => written.trim() === name)) return undefined;
    const last = match.index + text.indexOf("{") + 1 + names.trimEnd().length;
    const comma = names.trim() === "" || names.trimEnd().endsWith(",") ? "" : ",";
    return { from: last, to: last, insert: `${comma} ${name}` };
  }
  const line = `import { ${name} } from "${specifier}";`;
  return end === 0
    ? { from: 0, to: 0, insert: `${line}\n${code.startsWith("\n") || code === "" ? "" : "\n"}` }
    : { from: end, to: end, insert: `\n${line}` };
}
