import { atob, btoa } from "node:buffer";

/** Gives one character for each byte. Throws where the text is no Base64. */
export function decodeBase64(text: string): string {
  return atob(text);
}

/** Takes one character for each byte. Throws where one is beyond U+00FF. */
export function encodeBase64(bytes: string): string {
  return btoa(bytes);
}
