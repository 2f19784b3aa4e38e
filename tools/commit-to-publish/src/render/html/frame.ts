import type { Grid } from '../grid.js';
import { html, Markup } from './markup.js';
import { STYLE } from './style.js';

/** The parts of a page that differ. */
interface Frame {
  readonly title: string;
  readonly body: Markup;
  /** The program that wrote it, such as `commit-to-publish 1.2.0`. */
  readonly generator: string;
}

/** Renders a page as one file that needs no network. */
export function framePage({ title, body, generator }: Frame): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
<footer>${generator}. Times are UTC.</footer>
</main>
</body>
</html>
`;
  return page.text;
}

/** Hides content until the reader opens it. */
export function behind(summary: string, content: Markup): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

export function list(sentences: readonly string[]): Markup {
  return html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** Renders a table that scrolls if it is too wide. `label`: its name for screen readers. */
export function gridTable(label: string, { titles, rows }: Grid): Markup {
  const head = html`<tr>${titles.map((title, at) => titleCell(title, at === 0 ? html`` : new Markup(' class="number"')))}</tr>`;
  const body = rows.map(
    ([first = '', ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td class="number">${text}</td>`)}</tr>`,
  );
  return scrolling(label, html`<table><thead>${head}</thead><tbody>${body}</tbody></table>`);
}

/** A column without a title has no heading. */
function titleCell(title: string, attributes: Markup): Markup {
  return title === '' ? html`<td></td>` : html`<th scope="col"${attributes}>${title}</th>`;
}

export function scrolling(label: string, table: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** Links to http and https addresses only; other text has no link. */
export function pageLink(text: Markup, url: string | undefined): Markup {
  return url !== undefined && /^https?:\/\//.test(url) ? html`<a href="${url}">${text}</a>` : text;
}

/** Marks dates in a text so that none breaks at its hyphens. */
export function withWholeDates(text: string): Markup {
  const parts = text.split(/(\d{4}-\d\d-\d\d)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="whole">${part}</span>` : html`${part}`))}`;
}
