/** A word, as programs name fields: no dots, slashes or spaces, which paths, addresses and sentences have. */
const WORD = /^[$@_A-Za-z][\w$-]{0,47}$/;
const MOST_DIGITS = 4;
/** `x1` has one and `oauth2_step1` two; ids have more. */
const MOST_GROUPS_OF_DIGITS = 2;
const HEXADECIMAL = /^(?=.*\d)[\da-f_-]{8,}$/i;

/** Whether a key of an object reads as the name of a field. Other keys are data. */
export function isFieldName(key: string): boolean {
  const groups = key.match(/\d+/g) ?? [];
  const digits = groups.join("").length;
  return WORD.test(key) && digits <= MOST_DIGITS && groups.length <= MOST_GROUPS_OF_DIGITS && !HEXADECIMAL.test(key);
}
