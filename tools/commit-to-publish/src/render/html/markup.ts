import { escape as asText } from 'html-escaper';

/** HTML that may be put into a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | Markup | readonly Markup[];

/** A piece of a page. What is put in is text and shown as such, unless it is markup itself; of a list one follows the other. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(parts.map((part, at) => part + write(values[at] ?? '')).join(''));
}

function write(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === 'string' || typeof content === 'number') return asText(String(content));
  return content.map(({ text }) => text).join('');
}
