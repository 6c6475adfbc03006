import { read_text_file } from "@codemode/servers/files";

const regions = ["eu", "us", "asia"];
const files = await Promise.all(regions.map((region) => read_text_file({ path: `config/${region}.json` })));
export default Object.fromEntries(
  files.map(({ content }) => {
    const { region, currency } = JSON.parse(content) as { region: string; currency: string };
    return [region, currency];
  }),
);
