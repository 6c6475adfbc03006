import type { ServerQuestion } from "./question.ts";

/** The question in words. Each line of the server's own is quoted, so that none can pass for one of codemode's. */
export function describeQuestion(question: ServerQuestion): string {
  const { serverId, lines } = question;
  if (question.isOwn) return lines.join("\n");
  const quoted = lines.map((line) => `> ${line}`);
  const head = `The server "${serverId}" asks this in the middle of a call. These are its words, and not codemode's:`;
  if (question.mode === "form") return [head, ...quoted].join("\n");
  const { host, url } = question;
  return [head, ...quoted, `It wants you to open this page of ${host} yourself:`, url].join("\n");
}

/** How a field is shown: with the server in front, because a form shows titles apart from its message. */
export function fieldTitle(
  { serverId, isOwn }: Pick<ServerQuestion, "serverId" | "isOwn">,
  field: { name: string; title?: string },
): string {
  if (isOwn) return field.title ?? field.name;
  return `${serverId}: ${field.title ?? field.name}`;
}
