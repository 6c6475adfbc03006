import type { ObserveExtra } from "../../engine/observers.ts";
import { openConfigured } from "./open-configured.ts";

export const extra: ObserveExtra = { openConfigured };
