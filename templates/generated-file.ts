/** A file of the generated package, not yet written. */
export interface GeneratedFile {
  /** Posix, relative to the output folder. */
  path: string;
  text: string;
}
