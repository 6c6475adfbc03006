/** Works in a folder of `fpath`, under the name `_codemode`, and when it is sourced. */
export const ZSH_SCRIPT = String.raw`#compdef codemode
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
