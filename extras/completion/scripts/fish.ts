export const FISH_SCRIPT = String.raw`# Completion of codemode for fish: codemode completion fish > ~/.config/fish/completions/codemode.fish
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
