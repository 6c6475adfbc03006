/** What a finished process left. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** The binary of another version. */
  node?: string;
}
