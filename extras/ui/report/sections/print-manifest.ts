import type { RunReport } from "../../../../schemas/run/run-report.ts";
import { formatCount, formatNumberOf } from "../format/format-size.ts";
import { type Markup, markup } from "../html/markup.ts";

/** Which tools the script could call, which of them it did, and as what they were locked. */
export function printManifest({ tools, servers, calls }: Pick<RunReport, "tools" | "servers" | "calls">): Markup {
  const counts = new Map<string, number>();
  for (const { serverId, toolName } of calls) {
    const key = keyOf(serverId, toolName);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = tools.map(({ serverId, toolName, integrity }) => {
    const count = counts.get(keyOf(serverId, toolName)) ?? 0;
    const times = count === 0 ? "not called" : formatNumberOf(count, "call");
    return markup`<tr><td>${serverId}</td><th scope="row">${toolName}</th><td>${times}</td><td><code>${integrity}</code></td></tr>
`;
  });
  const called = tools.filter(({ serverId, toolName }) => counts.has(keyOf(serverId, toolName))).length;
  return markup`<section class="card" aria-labelledby="manifest">
<h2 id="manifest">What the script could call</h2>
${
  tools.length === 0
    ? markup`<p class="empty">No tool.</p>`
    : markup`<div class="table-frame" role="region" aria-label="Table of tools" tabindex="0">
<table>
<caption>The manifest of the bundle: ${formatNumberOf(tools.length, "tool")}, of which it called ${formatCount(called)}. The host refuses any other call.</caption>
<thead><tr><th scope="col">Server</th><th scope="col">Tool</th><th scope="col">Called</th><th scope="col">Integrity</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>
<div class="table-frame" role="region" aria-label="Table of servers" tabindex="0">
<table>
<caption>Their servers, as they were locked.</caption>
<thead><tr><th scope="col">Server</th><th scope="col">Integrity</th></tr></thead>
<tbody>
${servers.map(({ id, integrity }) => markup`<tr><th scope="row">${id}</th><td><code>${integrity}</code></td></tr>\n`)}
</tbody>
</table>
</div>`
}
</section>`;
}

function keyOf(serverId: string, toolName: string): string {
  return JSON.stringify([serverId, toolName]);
}
