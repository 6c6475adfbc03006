/** Which way the values of a schema go, seen from a script: it writes inputs and reads outputs. */
export type Direction = "input" | "output";
