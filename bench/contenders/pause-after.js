import { pause } from "../suite/measure.js";

/**
 * The pause after a run, as with an agent. What a contender prepares for its next run must not fall into the time of the one after it, so
 * levels that prepare much have a longer one.
 */
const PAUSE_MS = { process: 150, realm: 60 };
const OTHER_PAUSE_MS = 20;

/** Pauses after a run of the contender with this name. */
export function pauseAfter(name) {
  const [level] = Object.keys(PAUSE_MS).filter((level) => name.includes(`, ${level}`));
  return pause(level === undefined ? OTHER_PAUSE_MS : PAUSE_MS[level]);
}
