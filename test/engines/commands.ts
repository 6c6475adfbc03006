/** Programs in front of the sandbox, as docs/engines.md has them. */
export const COMMANDS: { [name: string]: string[] } = {
  bwrap: ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent"],
  runsc: ["runsc", "--network=none", "--ignore-cgroups", "do"],
};
