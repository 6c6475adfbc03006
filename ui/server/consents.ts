import { randomBytes } from "node:crypto";

/** Questions that wait for the person at the page. */
export interface Consents {
  /** A question with an unguessable id. It is answered once; a disconnect refuses. */
  ask(signal: AbortSignal): { id: string; verdict: Promise<boolean> };
  /** False where no such question waits. */
  answer(id: string, isAllowed: boolean): boolean;
  refuseAll(): void;
}

export function makeConsents(): Consents {
  const waiting = new Map<string, (isAllowed: boolean) => void>();
  const answer = (id: string, isAllowed: boolean): boolean => {
    const settle = waiting.get(id);
    waiting.delete(id);
    settle?.(isAllowed);
    return settle !== undefined;
  };
  return {
    ask(signal) {
      const id = randomBytes(16).toString("base64url");
      const verdict = new Promise<boolean>((resolve) => waiting.set(id, resolve));
      if (signal.aborted) answer(id, false);
      else signal.addEventListener("abort", () => answer(id, false), { once: true });
      return { id, verdict };
    },
    answer,
    refuseAll() {
      for (const id of [...waiting.keys()]) answer(id, false);
    },
  };
}
