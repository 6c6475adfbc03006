import type { JsonValue } from "../../../schemas/json/json.ts";

/** Something that a generator of schemas prints, and what the servers that print it do with inputs. */
export interface Habit {
  habit: string;
  /** The schema as it is listed. */
  printed: JsonValue;
  /** Inputs that the server accepts. */
  accepted: readonly JsonValue[];
  /** Inputs that the server refuses. */
  refused?: readonly JsonValue[];
  /** Inputs that the server accepts and its schema excludes: we hold scripts to the schema. */
  excluded?: readonly JsonValue[];
  /** What the server itself says of an input, where its library runs here. */
  serverAccepts?(input: JsonValue): boolean;
}

/** A habit of a library that runs here: the schema is printed and the verdicts are checked in the test. */
export interface LibraryHabit<Schema> {
  habit: string;
  schema: Schema;
  accepted: readonly JsonValue[];
  refused?: readonly JsonValue[];
  excluded?: readonly JsonValue[];
}
