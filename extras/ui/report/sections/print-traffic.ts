import { addSizes, type RunReport, type TextSize } from "../../../../schemas/run/run-report.ts";
import { formatBytes, formatCount } from "../format/format-size.ts";
import { type Markup, markup } from "../html/markup.ts";
import { printShownText } from "./print-calls.ts";

/** What stayed in the sandbox against what came back: in a sentence, as bars and as numbers. */
export function printTraffic({ traffic, result }: Pick<RunReport, "traffic" | "result">): Markup {
  const stayed = addSizes(traffic.inputs, traffic.outputs);
  return markup`<section class="card traffic" aria-labelledby="traffic">
<h2 id="traffic">What stayed in the sandbox, and what came back</h2>
<p class="lead">${printLead(stayed, traffic.answer)}</p>
${printBars(stayed, traffic.answer)}
<div class="table-frame" role="region" aria-label="Table of sizes" tabindex="0">
<table>
<caption>Sizes as JSON in UTF-8. Tokens are an estimate, made without any model's tokenizer.</caption>
<thead><tr><th scope="col">What</th><th scope="col">Where</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Tokens (estimate)</th></tr></thead>
<tbody>
${printRow("Inputs of all calls", "stayed in the sandbox", traffic.inputs)}
${printRow("Outputs of all calls", "stayed in the sandbox", traffic.outputs)}
${printRow("Answer: result, logs, diagnostics, trace", "came back", traffic.answer)}
${printRow("The script itself", "was sent", traffic.script)}
</tbody>
</table>
</div>
${result === undefined ? undefined : markup`<details class="result"><summary>The result</summary>${printShownText("Result", result)}</details>`}
</section>`;
}

/** Says which is more, whichever it is. */
function printLead(stayed: TextSize, answer: TextSize): Markup | string {
  if (stayed.bytes === 0) return "The script called no tool, so there was nothing to keep from coming back.";
  const all = markup`The calls moved ${formatBytes(stayed.bytes)}, some <b>${formatCount(stayed.tokens)} tokens</b>. The answer has ${formatBytes(answer.bytes)}, some <b>${formatCount(answer.tokens)} tokens</b>`;
  const ratio = stayed.tokens / Math.max(1, answer.tokens);
  if (ratio < 1) return markup`${all}: here plain tool calls would have cost less.`;
  const times = ratio >= 10 ? formatCount(ratio) : ratio.toFixed(1);
  return markup`${all}: <strong>${times} times less</strong> than if every input and output had passed through the model.`;
}

function printBars(stayed: TextSize, answer: TextSize): Markup {
  const most = Math.max(stayed.tokens, answer.tokens, 1);
  const printBar = (name: string, kind: string, { tokens }: TextSize): Markup => {
    const width = Math.max((100 * tokens) / most, tokens === 0 ? 0 : 0.4);
    return markup`<div class="traffic-row"><span>${name}</span><svg width="100%" height="22"><rect class="traffic-track" width="100%" height="22" rx="4"></rect><rect class="${kind}" width="${width.toFixed(2)}%" height="22" rx="4"></rect></svg><span class="number">≈ ${formatCount(tokens)} tokens</span></div>`;
  };
  return markup`<div class="traffic-bars" aria-hidden="true">
${printBar("stayed in the sandbox", "traffic-stayed", stayed)}
${printBar("came back", "traffic-answer", answer)}
</div>`;
}

function printRow(what: string, where: string, { bytes, tokens }: TextSize): Markup {
  return markup`<tr><th scope="row">${what}</th><td>${where}</td><td class="number">${formatCount(bytes)}</td><td class="number">${formatCount(tokens)}</td></tr>
`;
}
