import { CodemodeError } from "../../schemas/codemode-error.ts";

// One factory per error of packages, sorted by name.

/** A package is not what codemode makes of its lock entry. */
export const packageDiffers = (name: string, version: string): CodemodeError =>
  new CodemodeError(
    "PACKAGE_DIFFERS",
    1,
    `${name} ${version} is not what this codemode packs from its lock entry.`,
    "Where another generator made it, verify with that version of codemode. Otherwise do not use it: it was changed after it was packed.",
  );

/** A tarball is not a server package, or not the expected one. */
export const packageInvalid = (file: string, problem: string): CodemodeError =>
  new CodemodeError(
    "PACKAGE_INVALID",
    2,
    `${file}: ${problem}.`,
    "Remove it, name another release with --previous, or choose another folder with --out.",
  );

/** `pack` of a server whose lock entry seems to hold a secret. The text must not hold its value. */
export const secretInPackage = (
  serverName: string,
  places: readonly string[],
  variables: readonly string[],
): CodemodeError =>
  new CodemodeError(
    "SECRET_IN_PACKAGE",
    2,
    `Server "${serverName}": ${places.join(", ")} seems to hold a secret, which must not be published.`,
    `Replace it with ${variables.map((variable) => `\${${variable}}`).join(", ")}, set that variable, and run \`codemode lock\`; if it is not a secret, list the place under "notSecret" of the server.`,
  );

/** `pack --as` with a version that is not above the last release. */
export const versionTooLow = (version: string, previous: string): CodemodeError =>
  new CodemodeError(
    "VERSION_TOO_LOW",
    2,
    `--as ${version}: ${previous} is already packed.`,
    "Choose a higher version.",
  );
