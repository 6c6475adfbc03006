/** What the modules of ajv are called in the copy that the SDK's packages hold. */
const AJV_OF_SDK = {
  require_ajv: "ajv/dist/ajv.js",
  require__2019: "ajv/dist/2019.js",
  require__2020: "ajv/dist/2020.js",
  require_dist: "ajv-formats",
};

/** The SDK's packages hold a copy of ajv each; the one that is installed is enough. */
export const shareAjv = {
  name: "share-ajv",
  transform: {
    filter: { id: /@modelcontextprotocol[\\/](?:client|server)[\\/]dist[\\/]ajvProvider-/ },
    handler(code) {
      const [imports] = code.split("//#region", 1);
      const own = code.indexOf("//#region ../core-internal/src/validators/ajvProvider.ts");
      if (own === -1) throw new Error("The SDK's copy of ajv is not where it was.");
      const shared = Object.entries(AJV_OF_SDK).map(
        ([name, id]) => `import * as ${name}_ from "${id}";\nconst ${name} = () => ${name}_.default;\n`,
      );
      return `${imports}${shared.join("")}${code.slice(own)}`;
    },
  },
};
