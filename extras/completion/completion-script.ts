import { BASH_SCRIPT } from "./scripts/bash.ts";
import { FISH_SCRIPT } from "./scripts/fish.ts";
import { POWERSHELL_SCRIPT } from "./scripts/powershell.ts";
import { ZSH_SCRIPT } from "./scripts/zsh.ts";
import type { Shell } from "./shells.ts";

const SCRIPTS: Record<Shell, string> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
  powershell: POWERSHELL_SCRIPT,
};

/**
 * What a shell has to read once. It knows no command and no flag: at each press of the key it runs `codemode complete -- WORDS`, hands
 * the words over as they are, and takes what is printed for words; nothing of either is ever evaluated.
 */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
