import type { SentChange } from "./reply.ts";

/** A call that a person has changed before it was made. */
export interface ChangedCall {
  serverId: string;
  toolName: string;
  /** As the script sent it. */
  sent: unknown;
  /** What became of it: it was made with another input, or a person gave the result in its place. */
  changed: SentChange;
}

/** In the order of their answers. */
export const changes: ChangedCall[] = [];

export function noteChange(
  { serverId, toolName }: Pick<ChangedCall, "serverId" | "toolName">,
  sent: unknown,
  changed: SentChange,
): void {
  changes.push({ serverId, toolName, sent, changed });
}

/** Content blocks by the structured content that they came with, which a binding returns without them. */
const contents = new WeakMap<object, unknown[]>();

export function noteContent(value: unknown, content: unknown[]): void {
  if (typeof value === "object" && value !== null) contents.set(value, content);
}

export function findContent(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? (contents.get(value) ?? []) : [];
}
