import { optionInvalid } from "../../schemas/errors.ts";
import type { Command } from "../../cli/command.ts";

/** `codemode completion`: prints what a shell has to read to complete the words of codemode. */
export const completion: Command = async ({ args, context }) => {
  const script = Object.entries(SCRIPTS).find(([name]) => name === args[0])?.[1];
  if (script === undefined) throw optionInvalid("completion", `name a shell: ${SHELLS.join(", ")}`);
  context.output.result(script.trimEnd());
  return 0;
};

/** Works in a folder of `fpath`, under the name `_codemode`, and when it is sourced. */
const ZSH_SCRIPT = String.raw`#compdef codemode
# Completion of codemode for zsh: source <(codemode completion zsh), after compinit
_codemode() {
  local -a lines values shown
  local line
  lines=("${"$"}{(@f)$(command codemode complete -- "${"$"}{(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}")
  for line in "${"$"}{(@)lines[2,-1]}"; do
    [[ -z $line ]] && continue
    values+=("${"$"}{line%%$'\t'*}")
    shown+=("${"$"}{line/$'\t'/  }")
  done
  case $lines[1] in
    open) compadd -S '' -l -d shown -a values ;;
    *) (( $#values )) && compadd -l -d shown -a values ;;
  esac
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _codemode ]]; then _codemode "$@"; else compdef _codemode codemode; fi
`;

/** Older versions hand neither `--` nor an empty word to a program, so that each word goes behind a dot. */
const POWERSHELL_SCRIPT = String.raw`# Completion of codemode for PowerShell: codemode completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName codemode -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { '.' + $_.Extent.Text })
    if ($wordToComplete -eq '') { $words += '.' }
    $program = Get-Command codemode -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $program) { return }
    $lines = @(& $program complete @words 2>$null)
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $description = $_ -split "${"`"}t", 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
`;

const FISH_SCRIPT = String.raw`# Completion of codemode for fish: codemode completion fish > ~/.config/fish/completions/codemode.fish
function __codemode_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (command codemode complete -- $words[2..] 2>/dev/null </dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
    if test (count $lines) -gt 1
        printf '%s\n' $lines[2..]
    end
end
complete -c codemode -f -a '(__codemode_complete)'
`;

/** Without `compgen -W`, which would expand the words that it is given. */
const BASH_SCRIPT = String.raw`# Completion of codemode for bash: source <(codemode completion bash)
_codemode_complete() {
  local -a lines=()
  local line word
  COMPREPLY=()
  while IFS= read -r line; do lines+=("$line"); done < <(
    command codemode complete -- "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null
  )
  for line in "${"$"}{lines[@]:1}"; do COMPREPLY+=("${"$"}{line%%$'\t'*}"); done
  case "${"$"}{lines[0]}" in
    files) _codemode_paths -f ;;
    folders) _codemode_paths -d ;;
    open) compopt -o nospace 2>/dev/null ;;
  esac
}
# Names of files beside words: bash quotes them, and ends folders with a slash.
_codemode_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "${"$"}{COMP_WORDS[COMP_CWORD]}")
}
complete -F _codemode_complete codemode
`;

/**
 * What each shell has to read once. It knows no command and no flag: at each press of the key it runs `codemode complete -- WORDS`, hands
 * the words over as they are, and takes what is printed for words; nothing of either is ever evaluated.
 */
const SCRIPTS = { bash: BASH_SCRIPT, zsh: ZSH_SCRIPT, fish: FISH_SCRIPT, powershell: POWERSHELL_SCRIPT };

/** The shells whose completion we know. */
export const SHELLS = Object.keys(SCRIPTS);
