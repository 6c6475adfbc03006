/**
 * Tools, resources and prompts of a server share one space of names: a tool has the name that it is listed with, and a tool that is listed with
 * a name of this form is left out.
 */
export type OperationName =
  | { kind: "tool"; tool: string }
  | { kind: "resource-list" }
  | { kind: "resource-read" }
  | { kind: "resource-template"; template: string }
  | { kind: "prompt"; prompt: string };

const RESOURCE = "resource:";
const PROMPT = "prompt:";

/** Lists the resources that there are. No URI template is called so: each starts with a scheme. */
export const LIST_OPERATION = `${RESOURCE}list`;
/** Reads any resource. */
export const READ_OPERATION = `${RESOURCE}*`;

export function templateOperation(uriTemplate: string): string {
  return RESOURCE + uriTemplate;
}

export function promptOperation(promptName: string): string {
  return PROMPT + promptName;
}

/** What a name means. */
export function parseOperationName(name: string): OperationName {
  if (name === LIST_OPERATION) return { kind: "resource-list" };
  if (name === READ_OPERATION) return { kind: "resource-read" };
  if (name.startsWith(RESOURCE)) return { kind: "resource-template", template: name.slice(RESOURCE.length) };
  if (name.startsWith(PROMPT)) return { kind: "prompt", prompt: name.slice(PROMPT.length) };
  return { kind: "tool", tool: name };
}

/** Whether a name means something else than a tool. */
export function isReservedName(name: string): boolean {
  return parseOperationName(name).kind !== "tool";
}
