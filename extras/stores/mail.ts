import { randomBytes } from "node:crypto";
import { clock, delay } from "../../engine/clock.ts";
import type { Sealer } from "../../engine/store-plan.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { PersonsReply } from "../../schemas/run/question.ts";
import type { OpenedStore } from "./postgres-store.ts";

// Messages to the replica that has a run, or asks a question: it alone decides what becomes of them.

export type Message =
  | { kind: "cancel" }
  /** A person's reply to a question of a run. */
  | { kind: "reply"; number: number; reply: PersonsReply }
  /** The operator's answer to an approval. */
  | { kind: "answer"; decision: CallDecision };

/** Takes a message. What it gives is the outcome, which goes back to a replica that asks for it. */
type Take = (message: Message) => unknown;

/** The mail of this replica. */
export type Mail = ReturnType<typeof makeMail>;

const MESSAGE_MS = 60_000;
const HEARD_WITHIN_MS = 10_000;
const OUTCOME_EVERY_MS = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/** @param replica the id of this one */
export function makeMail({ store, sealer }: OpenedStore, replica: string, onFailure: (error: unknown) => void) {
  const { seal, open } = makeEnvelopes(sealer);
  const listening = new Map<string, Take>();
  const inboxOf = (other: string): string => `mail/${other}/`;
  const outcomeOf = (message: string): string => `outcome/${message}`;

  const read = (place: string, value: Buffer): { name: string; message: Message } | undefined => {
    const { cancel, sealed } = JSON.parse(value.toString()) as { cancel?: unknown; sealed?: unknown };
    if (typeof cancel === "string") return { name: cancel, message: { kind: "cancel" } };
    return open(place, sealed) as { name: string; message: Message } | undefined;
  };
  const take = async (place: string): Promise<void> => {
    const value = await store.take(place);
    const letter = value && read(place, value);
    const outcome = letter && (await listening.get(letter.name)?.(letter.message));
    const sealed = outcome === undefined ? undefined : seal(outcomeOf(place), outcome);
    if (sealed !== undefined) await store.put(outcomeOf(place), Buffer.from(sealed), MESSAGE_MS);
  };
  const look = async (): Promise<void> => {
    for (const place of (await store.list(inboxOf(replica))).keys()) await take(place).catch(onFailure);
  };
  const keepLooking = makeLooking(look, () => listening.size > 0, onFailure);

  /**
   * Sends a message about what has this name in the store to the replica that has it. Gives where the message is; undefined where it cannot be sealed:
   * without a key nothing but a cancellation is sent.
   */
  const send = async (other: string, name: string, message: Message): Promise<string | undefined> => {
    const place = `${inboxOf(other)}${randomBytes(16).toString("base64url")}`;
    const isOpen = message.kind === "cancel";
    const sealed = isOpen ? undefined : seal(place, { name, message });
    if (!isOpen && sealed === undefined) return undefined;
    await store.put(place, Buffer.from(JSON.stringify(isOpen ? { cancel: name } : { sealed })), MESSAGE_MS);
    return place;
  };
  return {
    send,
    /** Takes what comes for this name; returns how to stop. Nothing is looked for while nothing listens. */
    listen(name: string, taking: Take): () => void {
      listening.set(name, taking);
      keepLooking();
      return () => void (listening.get(name) === taking && listening.delete(name));
    },
    /** Sends a message, and gives its outcome; `unheard` where there is none in time, and then it is taken back. */
    async ask(other: string, name: string, message: Message): Promise<unknown> {
      const place = await send(other, name, message);
      if (place === undefined) return "unsealed";
      for (const until = clock.now() + HEARD_WITHIN_MS; clock.now() < until;) {
        const outcome = open(outcomeOf(place), (await store.take(outcomeOf(place)))?.toString());
        if (outcome !== undefined) return outcome;
        await delay(OUTCOME_EVERY_MS);
      }
      await store.take(place);
      return "unheard";
    },
  };
}

/** Values for the holders of the key, as texts that can be part of others. */
export function makeEnvelopes(sealer: Sealer | undefined) {
  return {
    /** Undefined without a key, and for more than 4 MiB. */
    seal(name: string, value: unknown): string | undefined {
      const text = Buffer.from(JSON.stringify(value));
      return text.length > MOST_BYTES ? undefined : sealer?.seal(name, text).toString("base64");
    },
    /** Undefined where it is not there, or was sealed with another key or for another name. */
    open(name: string, sealed: unknown): unknown {
      const text = typeof sealed === "string" ? sealer?.open(name, Buffer.from(sealed, "base64")) : undefined;
      return text === undefined ? undefined : JSON.parse(text.toString());
    },
  };
}

const LOOK_EVERY_MS = 400;

/** Looks into a store again and again, but only while something is open. Returns what begins to look; it changes nothing while that goes on. */
export function makeLooking(
  look: () => Promise<void>,
  isOpen: () => boolean,
  onFailure: (error: unknown) => void,
): () => void {
  let isLooking = false;
  const lookOnce = async (): Promise<void> => {
    await look().catch(onFailure);
    isLooking = false;
    if (isOpen()) keepLooking();
  };
  const keepLooking = (): void => {
    if (!isLooking) clock.after(LOOK_EVERY_MS, lookOnce, { ref: false });
    isLooking = true;
  };
  return keepLooking;
}
