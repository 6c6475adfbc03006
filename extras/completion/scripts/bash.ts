/** Without `compgen -W`, which would expand the words that it is given. */
export const BASH_SCRIPT = String.raw`# Completion of codemode for bash: source <(codemode completion bash)
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
