// Pages that became a part of another one keep their address: a file that leads to the section.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a page for each entry of redirects.json, which has the former name and the link, to the built site. */
export async function writeRedirects(site) {
  const redirects = JSON.parse(await readFile(join(site, "redirects.json"), "utf8"));
  for (const [name, link] of Object.entries(redirects)) {
    await writeFile(join(site, "dist/www", `${name}.html`), printRedirect(link));
  }
}

function printRedirect(link) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<meta http-equiv="refresh" content="0; url=./${link}">
<link rel="canonical" href="./${link}">
<p>This page is now <a href="./${link}">here</a>.</p>
</html>
`;
}
