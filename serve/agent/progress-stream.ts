import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { makePacer } from "./pacer.ts";

/** Tells a client that gave a progress token how its call goes on. */
export interface ProgressStream {
  /** The last one of several that come together is sent. */
  tell(message: string): void;
  end(): void;
}

/** A notification without its token. */
export interface ProgressMessage {
  progress: number;
  message: string;
}

export interface ProgressStreamOptions {
  /** After this time without progress the client gets a heartbeat, so that it does not time out. */
  heartbeatMs: number;
  /** Settles when the message is written, and never rejects. */
  send(message: ProgressMessage): Promise<void>;
}

const PAUSE_MS = 40;
const MAX_LENGTH = 500;

/** `progress` counts the notifications: it increases always, and has no total. */
export function makeProgressStream({ heartbeatMs, send }: ProgressStreamOptions): ProgressStream {
  const startedAt = performance.now();
  let progress = 0;
  let news = "";
  const pacer = makePacer(PAUSE_MS, () => {
    heartbeat.refresh();
    progress += 1;
    return send({ progress, message: news });
  });
  const tell = (message: string): void => {
    const line = oneLine(message);
    news = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
    pacer.touch();
  };
  const heartbeat = setInterval(
    () => tell(`at work for ${Math.round((performance.now() - startedAt) / 1000)} s`),
    heartbeatMs,
  );
  return {
    tell,
    end() {
      clearInterval(heartbeat);
      pacer.end();
    },
  };
}
