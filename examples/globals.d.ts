// For this repository's own compiler. In your project `codemode generate` sees to it.
declare var __codemode_input__: unknown;
