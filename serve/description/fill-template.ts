/** What the placeholders of a description stand for. */
export interface TemplateValues {
  types: string;
  count: number;
}

/** Replaces `{{types}}` and `{{count}}`, once and literally: what is put in is never looked at again. */
export function fillTemplate(template: string, { types, count }: TemplateValues): string {
  return template.replace(/\{\{(types|count)\}\}/g, (_placeholder, name) => (name === "types" ? types : String(count)));
}
