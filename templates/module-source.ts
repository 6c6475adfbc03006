/** What one generated module holds, in the order in which it is printed. */
export interface ModuleSource {
  imports?: readonly { names: readonly string[]; from: string }[];
  /** A name of a type is written `type Name`. */
  reexports?: readonly { names: readonly string[]; from: string }[];
  constants?: readonly ModuleConstant[];
  /** Declarations as text, laid out already. */
  declarations?: readonly string[];
  functions?: readonly ModuleFunction[];
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
