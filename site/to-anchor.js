/** The anchor of a heading, as GitHub makes it: small letters, digits, `_` and `-` stay, spaces become `-`, all else goes. */
export function toAnchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}
