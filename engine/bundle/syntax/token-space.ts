/**
 * The source of a pattern for what may stand between two tokens: white space and comments. No text fits it in two ways, so that matching
 * takes linear time, and a comment ends at its first end.
 */
export const TOKEN_SPACE = String.raw`(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//.*[\n\r\u2028\u2029])*`;
