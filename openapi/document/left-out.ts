import { OpenApiError } from "../openapi-error.ts";

/** A part of a document that cannot be read, and is left out: one wrong operation does not take the others away. */
export interface LeftOut {
  /** Its place, such as `#/paths/~1pets/get`. */
  pointer: string;
  error: OpenApiError;
}

/** Notes that a part is left out. */
export type LeaveOut = (pointer: string, error: unknown) => void;

/** A mistake of the document is one; any other error is ours. */
export function toLeftOut(pointer: string, error: unknown): LeftOut {
  if (!(error instanceof OpenApiError)) throw error;
  return { pointer, error };
}
