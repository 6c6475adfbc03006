import type { Server } from "node:http";

/** A ledger that listens, whose calls take so many milliseconds. */
export function openLedger(delayMs?: number): Promise<Server>;
