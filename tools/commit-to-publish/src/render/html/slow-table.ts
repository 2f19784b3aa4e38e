import type { SlowChange } from '../../report/details.js';
import { formatBound } from '../figures.js';
import { nameOfChange } from '../names.js';
import { formatMoment } from '../times.js';
import { pageLink, scrolling, withBreaks } from './frame.js';
import { html, type Markup } from './markup.js';

/**
 * Renders slow changes as a table that stacks on narrow screens, with known subject lines. It names the repository if there are several.
 */
export function slowTable(label: string, slowest: readonly SlowChange[], subjects: ReadonlyMap<string, string>): Markup {
  const head = html`<tr>${['change', 'package', 'release', 'arrived', 'took'].map((title) => html`<th scope="col">${title}</th>`)}</tr>`;
  const isOfSeveral = new Set(slowest.map(({ repo }) => repo)).size > 1;
  const rows = slowest.map((change) => {
    const name = `${isOfSeveral ? `${change.repo} ` : ''}${nameOfChange(change, subjects)}`;
    return html`<tr><th scope="row">${pageLink(html`${name}`, change.url)}</th><td class="package">${withBreaks(change.package)}</td><td>${change.release ?? ''}</td><td class="whole">${formatMoment(change.endedAt)}</td><td class="number whole">${formatBound(change.total, change.atLeast)}</td></tr>`;
  });
  return scrolling(label, html`<table class="stacked"><thead>${head}</thead><tbody>${rows}</tbody></table>`);
}
