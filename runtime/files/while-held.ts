import { setTimeout as delay } from "node:timers/promises";

/** What Windows answers as long as another program, such as a virus scanner, has a file open. */
const HELD: ReadonlySet<unknown> = new Set(["EACCES", "EBUSY", "EPERM"]);
const TRY_FOR_MS = 1_000;
const FIRST_PAUSE_MS = 5;

/** Does something to a file, on Windows again and again for a second while another program holds the file. */
export async function whileHeld<Value>(
  action: () => Promise<Value>,
  platform: NodeJS.Platform = process.platform,
): Promise<Value> {
  const pauses = pausesOf(platform);
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await action();
    } catch (error) {
      const pause = pauses.shift();
      if (pause === undefined || !isHeld(error)) throw error;
      // oxlint-disable-next-line no-await-in-loop -- it is what is waited for
      await delay(pause);
    }
  }
}

/** The same for calls that return at once. */
export function whileHeldSync<Value>(action: () => Value, platform: NodeJS.Platform = process.platform): Value {
  const pauses = pausesOf(platform);
  for (;;) {
    try {
      return action();
    } catch (error) {
      const pause = pauses.shift();
      if (pause === undefined || !isHeld(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

/** Each twice as long as the one before. */
function pausesOf(platform: NodeJS.Platform): number[] {
  const pauses: number[] = [];
  for (let pause = FIRST_PAUSE_MS, sum = 0; platform === "win32" && sum + pause <= TRY_FOR_MS; pause *= 2) {
    pauses.push(pause);
    sum += pause;
  }
  return pauses;
}

function isHeld(error: unknown): boolean {
  return HELD.has((error as NodeJS.ErrnoException).code);
}
