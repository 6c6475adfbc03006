import { vi } from "vitest";
import { setPassphrase } from "../../engine/approval-secret.ts";

/** Sets a passphrase for approvals in a state folder of the test's own: runs then wait for the person at a terminal. */
export async function setPassphraseIn(stateHome: string): Promise<{ XDG_STATE_HOME: string }> {
  vi.stubEnv("XDG_STATE_HOME", stateHome);
  await setPassphrase("correct horse battery").finally(() => vi.unstubAllEnvs());
  return { XDG_STATE_HOME: stateHome };
}
