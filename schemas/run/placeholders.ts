const PLACEHOLDER = /redacted_[a-z0-9]*_\d+_[0-9a-f]{16}/g;

/**
 * What stands for a redacted value. It is one word, so that it survives what scripts do with texts.
 * @param name of the member that was redacted
 * @param nonce 16 hexadecimal digits, which cannot be guessed
 */
export function toPlaceholder(name: string, number: number, nonce: string): string {
  const word = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return `redacted_${word.slice(0, 32)}_${number}_${nonce}`;
}

/** The texts between the placeholders of a text; one item where there is none. */
export function splitAtPlaceholders(text: string): string[] {
  return text.split(PLACEHOLDER);
}

/** Whether a placeholder is in a text. */
export function holdsPlaceholder(text: string): boolean {
  return text.includes("redacted_") && splitAtPlaceholders(text).length > 1;
}

/** Whether a text is one placeholder and nothing else: the value was a string or a number. */
export function isPlaceholder(text: string): boolean {
  return text.startsWith("redacted_") && splitAtPlaceholders(text).join("|") === "|";
}

/** The text with another in the place of each placeholder. */
export function mapPlaceholders(text: string, replace: (placeholder: string) => string): string {
  return text.replace(PLACEHOLDER, replace);
}
