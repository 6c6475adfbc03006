import { isAscii } from "node:buffer";

/** The text that bytes are in UTF-8. Plain ASCII, which most large texts are, need not be looked through for sequences. */
export function decodeUtf8(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}
