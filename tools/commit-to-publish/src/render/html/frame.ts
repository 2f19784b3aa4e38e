import type { Grid } from '../grid.js';
import { html, Markup } from './markup.js';

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

/** The columns for which a narrow screen has room; with more, a name has a line of its own. */
const MOST_IN_A_LINE = 4;

/** Renders a table that scrolls if it is too wide. `label`: its name for screen readers. */
export function gridTable(label: string, { titles, rows }: Grid): Markup {
  const head = html`<tr>${titles.map((title, at) => titleCell(title, at === 0 ? html`` : new Markup(' class="number"')))}</tr>`;
  const body = rows.map(
    ([first = '', ...rest]) =>
      html`<tr><th scope="row">${withBreaks(first)}</th>${rest.map((text) => html`<td class="number">${withWholeFigures(text)}</td>`)}</tr>`,
  );
  const shape = titles.length > MOST_IN_A_LINE && titles[0] !== '' ? new Markup(' class="lines"') : '';
  return scrolling(label, html`<table${shape}><thead>${head}</thead><tbody>${body}</tbody></table>`);
}

/** A column without a title has no heading. */
function titleCell(title: string, attributes: Markup): Markup {
  return title === '' ? html`<td></td>` : html`<th scope="col"${attributes}>${withWholeFigures(title)}</th>`;
}

/** Lets a line end after the scope of a package, rather than within a word. */
export function withBreaks(name: string): Markup {
  return html`${name.split(/(?<=\/)/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr>${part}`))}`;
}

export function scrolling(label: string, table: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** Links to http and https addresses only; other text has no link. */
export function pageLink(text: Markup, url: string | undefined): Markup {
  return url !== undefined && /^https?:\/\//.test(url) ? html`<a href="${url}">${text}</a>` : text;
}

/** Marks dates and lengths in a text so that no line ends within one. */
export function withWholeFigures(text: string): Markup {
  const parts = text.split(/(\d{4}-\d\d-\d\d|(?:[<>]=? )?\d[\d.]* (?:[dhs%]|min)(?!\w)|n < \d+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="whole">${part}</span>` : html`${part}`))}`;
}

/** The style sheet, for light and dark mode and narrow screens. */
const STYLE = `
:root { --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --ground: #ffffff; --card: #f6f8fa; --p50: #0969da; --p90: #bc4c00; --band: #bc4c0026; --mark: #8250df; --count: #8c959f; --single: #1a7f37; }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --ground: #0d1117; --card: #151b23; --p50: #58a6ff; --p90: #f0883e; --band: #f0883e33; --mark: #bc8cff; --count: #6e7681; --single: #3fb950; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 1.6rem; margin: 0 0 8px; }
.lead { font-size: 1.35rem; line-height: 1.4; margin: 16px 0; }
.whole { white-space: nowrap; }
h3 { font-size: 1rem; margin: 24px 0 8px; }
h2 { font-size: 1.2rem; margin: 40px 0 12px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }
a { color: var(--p50); }
.headline { display: flex; flex-wrap: wrap; gap: 12px; margin: 24px 0; }
.headline div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 20px; flex: 1 1 150px; }
.headline dt { color: var(--soft); }
.headline dd { margin: 0; font-size: 1.7rem; font-weight: 600; }
.headline small { display: block; font-size: 0.85rem; font-weight: 400; color: var(--soft); }
.legend span::before { content: ''; display: inline-block; width: 1em; height: 0.6em; margin-right: 0.4em; border-radius: 2px; print-color-adjust: exact; }
.legend span { display: inline-block; margin-right: 1em; }
.legend .p50::before { background: var(--p50); }
.legend .p90::before { background: var(--p90); }
.legend .band::before { background: var(--band); border: 1px solid var(--p90); }
.legend .single::before { width: 0.6em; border: 2px solid var(--single); border-radius: 50%; }
.legend .bound::before { width: 0; height: 0; border: 0.35em solid transparent; border-bottom-color: var(--soft); border-radius: 0; }
.legend .move::before { width: 0; height: 0.9em; border-left: 2px dashed var(--mark); border-radius: 0; }
.chart { display: block; max-width: 100%; height: auto; color: var(--soft); overflow: visible; }
.narrow { display: none; }
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; } }
.scroll { overflow-x: auto; }
@media print { main { max-width: none; } .scroll { overflow: visible; } svg, tr, .headline { break-inside: avoid; } h2, h3, .legend, .legend + p { break-after: avoid; } details:not([open]) { display: none; } }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.92rem; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 400; }
tbody th, .package { min-width: 9em; }
.number { text-align: right; overflow-wrap: normal; }
@media (min-width: 641px) { thead th { white-space: nowrap; } }
@media (max-width: 640px) { table { font-size: 0.8rem; } th, td { padding-right: 8px; } tbody th { min-width: 6.5em; }
.stacked thead { position: absolute; clip-path: inset(50%); } .stacked tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
.stacked tbody th, .stacked td { display: inline-block; border: 0; padding: 0 12px 0 0; } .stacked tbody th { display: block; } }
@media (max-width: 400px) { table { font-size: 0.76rem; } th, td { padding-right: 4px; } }
@media (max-width: 370px) { tbody th { min-width: 6em; } }
@media (max-width: 500px) { .lines tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); } .lines :is(th, td) { flex: 1 1 0; border: 0; padding: 3px 6px 3px 0; } .lines tr > :first-child { flex-basis: 100%; } }
details { margin: 12px 0; }
summary { cursor: pointer; color: var(--soft); }
footer { margin-top: 48px; color: var(--soft); font-size: 0.85rem; }
`;
