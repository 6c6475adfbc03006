/** The name of an option that stands as an argument of its own, such as `token` of `--token`; undefined for other arguments. */
export function optionName(arg: string | undefined): string | undefined {
  return /^--?([A-Za-z][\w.-]+)$/.exec(arg ?? "")?.[1];
}
