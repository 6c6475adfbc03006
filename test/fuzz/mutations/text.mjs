const PIECES = [
  ...["<!--", "-->", "import(", "import.meta", "eval(", "\u2028", "\u2029", "\u00a0", "\ufeff", "\u0000", "\u202e"],
  ...[
    "\r",
    "\r\n",
    "\n",
    "\ud800",
    "\udc00",
    "\u{1f600}",
    "\u00e9",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "`",
    "${",
    "'",
    '"',
  ],
  ...[
    "/",
    "*/",
    "/*",
    "//",
    "#!",
    "#",
    "@",
    "\\",
    "\\u",
    "\\u{",
    "\\x",
    "=>",
    "=",
    "?.",
    "...",
    "??",
    "**",
    "&&",
    "<",
    ">",
  ],
  ...[
    ":",
    "!",
    "~",
    "-",
    "+",
    "0",
    "0x",
    "1n",
    "await ",
    "async ",
    "yield ",
    "export ",
    "import ",
    "default ",
    "class ",
  ],
  ...[
    "function ",
    "return ",
    "new ",
    "delete ",
    "in ",
    "of ",
    "let ",
    "const ",
    "enum ",
    "as ",
    "//# sourceMappingURL=x\n",
  ],
];

/** Comments that look like code, or like the end of another comment. */
const COMMENTS = ["/**/", "/***/", "/* ( */", "/* * */", "/* // */", "/*\n*/", "// )\n", "// /*\n", "//\u2028", "//\r"];

/** Edits that know no grammar. They work on any text. */
export const TEXT_MUTATIONS = [
  function insertPiece({ code }, { below, pick }) {
    const at = below(code.length + 1);
    return code.slice(0, at) + pick(PIECES) + code.slice(at);
  },
  function deleteRange({ code }, { below, pick }) {
    const at = below(code.length + 1);
    return code.slice(0, at) + code.slice(at + pick([1, 1, 2, 5, 20]));
  },
  function replaceCharacter({ code }, { below }) {
    const at = below(code.length + 1);
    return code.slice(0, at) + String.fromCharCode(32 + below(95)) + code.slice(at + 1);
  },
  function replaceToken({ code }, { pick }) {
    const tokens = [...code.matchAll(/[\w$]+|[^\s\w$]+/g)];
    const [from, to] = [pick(tokens), pick(tokens)];
    return from && code.slice(0, from.index) + to[0] + code.slice(from.index + from[0].length);
  },
  function insertComments({ code }, { pick, isLikely }) {
    const comments = Array.from({ length: isLikely(0.1) ? 60 : 1 }, () => pick(COMMENTS)).join("");
    const token = pick([...code.matchAll(/[\w$]+|[^\s\w$]/g)]);
    return token && code.slice(0, token.index) + comments + code.slice(token.index);
  },
  function duplicateRange({ code }, { below }) {
    const start = below(code.length);
    const text = code.slice(start, start + below(60));
    const at = below(code.length + 1);
    return code.slice(0, at) + text + code.slice(at);
  },
  function editLiteral({ code }, { below, pick }) {
    const literal = pick([...code.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`|\/[^/\n*]+\/[a-z]*/g)]);
    if (literal === undefined) return undefined;
    const at = literal.index + 1 + below(Math.max(1, literal[0].length - 1));
    return code.slice(0, at) + pick(PIECES) + code.slice(at);
  },
  function cutEnd({ code }, { below }) {
    return code.slice(0, below(code.length + 1));
  },
  function nestDeeply({ code }, { pick, isLikely }) {
    if (!isLikely(0.05)) return undefined;
    const depth = pick([50, 300, 1500]);
    const [open, inner, close] = pick([
      ["(", "1", ")"],
      ["[", "", "]"],
      ["{", "", "}"],
      ["!", "1", ""],
      ["a?.b(", "", ")"],
      ["async () => ", "1", ""],
      ["`${", "1", "}`"],
      ["1 + ", "1", ""],
    ]);
    return `${code}\n${open.repeat(depth)}${inner}${close.repeat(depth)};\n`;
  },
];
