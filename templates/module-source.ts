/** What one generated module holds, in the order in which it is printed. */
export interface ModuleSource {
  imports?: readonly Exchange[];
  reexports?: readonly Exchange[];
  constants?: readonly ModuleConstant[];
  /** Declarations as text, laid out already. */
  declarations?: readonly string[];
  functions?: readonly ModuleFunction[];
}

/** Names that come from another module; among others, a name of a type is written `type Name`. */
export interface Exchange {
  names: readonly string[];
  from: string;
  isTypeOnly?: boolean;
}

export interface ModuleConstant {
  name: string;
  isExported: boolean;
  /** Source of the value; absent in a declaration file. */
  value?: string;
  /** Source of the type; absent in a module that runs. */
  type?: string;
  /** One line of trusted text. */
  doc?: string;
}

export interface ModuleFunction {
  name: string;
  parameter: { name: string; type?: string; optional?: boolean; defaultValue?: string };
  returnType?: string;
  /** Absent in a declaration file. */
  body?: string;
  doc?: string;
}

/** A file of the generated package, not yet written. */
export interface GeneratedFile {
  /** Posix, relative to the output folder. */
  path: string;
  text: string;
}
