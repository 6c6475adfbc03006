/** True for a text that is a module in JavaScript. Early errors that only an engine finds are not looked for. */
export async function isJavaScript(source: string): Promise<boolean> {
  const { parse } = await import("acorn");
  try {
    parse(source, { ecmaVersion: "latest", sourceType: "module" });
    return true;
  } catch {
    return false;
  }
}
