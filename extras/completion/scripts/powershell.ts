/** Older versions hand neither `--` nor an empty word to a program, so that each word goes behind a dot. */
export const POWERSHELL_SCRIPT = String.raw`# Completion of codemode for PowerShell: codemode completion powershell | Out-String | Invoke-Expression
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
