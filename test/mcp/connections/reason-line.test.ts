import { expect, test } from "vitest";
import { findReasonLine } from "../../../runtime/mcp/client/connection-failures.ts";

test.each([
  [
    "npm about a package that does not exist",
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.test/x - Not found\nnpm error 404\nnpm error 404  'x@*' is not in this registry.\nnpm error A complete log of this run can be found in: /tmp/x.log",
    "npm error 404 Not Found - GET https://registry.test/x - Not found",
  ],
  [
    "npm without a network",
    "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\nnpm error network request to https://registry.test/x failed, reason: getaddrinfo ENOTFOUND registry.test\nnpm error network This is a problem related to network connectivity.\nnpm error A complete log of this run can be found in: /tmp/x.log",
    "npm error network request to https://registry.test/x failed, reason: getaddrinfo ENOTFOUND registry.test",
  ],
  [
    "an older npm about a version",
    "npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for x@9.\nnpm ERR! A complete log of this run can be found in:\nnpm ERR!     /tmp/x.log",
    "npm error notarget No matching version found for x@9.",
  ],
  [
    "npm without a name server",
    "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error errno EAI_AGAIN\nnpm error request to https://registry.test/x failed, reason: getaddrinfo EAI_AGAIN registry.test\nnpm error A complete log of this run can be found in: /tmp/x.log",
    "npm error request to https://registry.test/x failed, reason: getaddrinfo EAI_AGAIN registry.test",
  ],
  [
    "npm whose cache has not the package, before an offer of a newer npm",
    "npm error code ENOTCACHED\nnpm error request to https://registry.test/x failed: cache mode is 'only-if-cached'\nnpm notice New major version of npm available!",
    "npm error request to https://registry.test/x failed: cache mode is 'only-if-cached'",
  ],
  [
    "npm that installs a package",
    'npm warn Unknown env config "x".\nnpm warn exec The following package was not found and will be installed: x@1.0.0\nnpm warn deprecated y@1.0.0: use z',
    "npm warn exec The following package was not found and will be installed: x@1.0.0",
  ],
  ["npm that has spoken of its settings alone", 'npm warn Unknown user config "x".\n', ""],
  ["a server behind npm", 'npm warn Unknown user config "x".\nset TOKEN\nnpm notice\n', "set TOKEN"],
  [
    "npm that names only a code",
    "npm error code EUSAGE\nnpm error A complete log of this run can be found in: x",
    "npm error code EUSAGE",
  ],
  [
    "Node about an uncaught error",
    "file:///server.js:1\nthrow new TypeError('x')\n^\n\nTypeError: cannot read the key file\n    at file:///server.js:1:7 {\n  code: 'X'\n}\n\nNode.js v20.20.2",
    "TypeError: cannot read the key file",
  ],
  [
    "Python",
    "Traceback (most recent call last):\n  File \"x.py\", line 1\nModuleNotFoundError: No module named 'x'",
    "ModuleNotFoundError: No module named 'x'",
  ],
  ["a server that says something after an error", "Error: first\n    at x (y.js:1)\nset TOKEN", "set TOKEN"],
  ["a server that says one thing", "set TOKEN\n\n", "set TOKEN"],
  [
    "Node about an error without a name of its own",
    "/x/bindings.js:126\n  throw err\n  ^\n\nError: Could not locate the bindings file. Tried:\n → /x/a.node\n → /x/b.node\n    at bindings (/x/bindings.js:126:9)\n    at Module._compile (node:internal) {\n  tries: [\n    '/x/a.node'\n  ]\n}\n\nNode.js v20.20.2",
    "Error: Could not locate the bindings file. Tried:",
  ],
  [
    "docker without its daemon",
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?.\n\nRun 'docker run --help' for more information",
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?.",
  ],
  [
    "a server that prints an error with its members",
    "Fatal error: the API key is missing {\n  type: 'x',\n  raw: [\n    1\n  ]\n}",
    "Fatal error: the API key is missing",
  ],
  [
    "a server that ends with advice",
    "Starting\nError: the vault is not valid:\n  points to a system directory\nPlease choose a dedicated directory",
    "Error: the vault is not valid: points to a system directory Please choose a dedicated directory",
  ],
  [
    "a server that ends with its options",
    "DATABASE_URL is required\nUsage: server [options]\n  --port <n>  the port\n  -h, --help  help",
    "DATABASE_URL is required",
  ],
  ["a server that prints signs alone", "}\n", "}"],
  ["silent", "", ""],
])("of the last words of %s, the reason is shown", (_, words, line) => {
  expect(findReasonLine(words)).toBe(line);
});
