import { format } from "oxfmt";

/** A page as `npm run lint:format` expects it. */
export async function formatMarkdown(text) {
  const { code, errors } = await format("page.md", text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors[0].message);
  return code;
}
