import { showInvisible } from '@tributary/terminal/invisible';
import { escape as asText } from 'html-escaper';

/** HTML that can be inserted into a page unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | Markup | readonly Markup[];

/** Builds markup from a template. Escapes values as text, and characters that nobody sees, unless they are markup; joins the elements of a list. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(parts.map((part, at) => part + write(values[at] ?? '')).join(''));
}

function write(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === 'string' || typeof content === 'number') return asText(showInvisible(String(content)));
  return content.map(({ text }) => text).join('');
}
