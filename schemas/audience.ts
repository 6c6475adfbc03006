/** Who reads a hint: a person at the command line or in the editor, or an agent behind `serve`, which has no shell. */
export type Audience = "person" | "agent";

/** A hint of which each audience gets the one that is of use to them. */
export type AudienceHint = Readonly<Record<Audience, string>>;
