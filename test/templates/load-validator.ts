/** Loads a printed validator the way any program would: as a module that imports nothing. */
export async function loadValidator(source: string): Promise<InputValidator> {
  const url = `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;
  const module = (await import(/* @vite-ignore */ url)) as { validateInput: InputValidator };
  return module.validateInput;
}

export interface InputValidator {
  (input: unknown): boolean;
  errors?: { keyword: string; instancePath: string; params: Record<string, unknown> }[] | null;
}
