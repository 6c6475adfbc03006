export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Reads the text format of Prometheus, and throws at what is none of it: a type that is missing, or a line out of place. */
export function parsePrometheus(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  let family = "";
  return text
    .slice(0, -1)
    .split("\n")
    .flatMap((line) => {
      const head = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
      if (head !== null) family = head[2] as string;
      if (head !== null) return [];
      const [, name = "", labels = "", value = ""] = LINE.exec(line) ?? [];
      if (name !== family && !/^_(bucket|sum|count)$/.test(name.slice(family.length)))
        throw new Error(`a line: ${line}`);
      return [{ name, labels: parseLabels(labels), value: Number(value) }];
    });
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const match = LABEL.exec(text);
    if (match === null) throw new Error(`labels from ${at}: ${text}`);
    labels[match[1] as string] = (match[2] as string).replaceAll(/\\(.)/g, (_all, escaped: string) =>
      escaped === "n" ? "\n" : escaped,
    );
  }
  return labels;
}
