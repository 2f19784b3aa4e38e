import type { GroupedMessage, MessageSubject } from '../result/result.js';
import { code, namesOf } from '../text.js';

/** The maximum number of places that are not folded. */
const OPEN = 5;

/**
 * Returns a message as a Markdown list item after its mark (`-`, `12.`). A message about one place is one line;
 * otherwise the places are below it.
 */
export function tellInMarkdown(message: GroupedMessage, mark: string, many: 'folded' | 'open' = 'folded'): string {
  const [first, ...others] = message.about;
  if (first === undefined) return `${mark} ${message.text}`;
  if (others.length === 0) return `${mark} ${tellOfOne(message.text, first)}`;
  const lines = linesOf(message.about).map((line) => `- ${line}`);
  const folded = [`<details><summary>${countOf(message.about)}</summary>`, '', ...lines, '', '</details>'];
  const below = lines.length <= OPEN || many === 'open' ? lines : ['', ...folded];
  const indent = ' '.repeat(mark.length + 1);
  return [`${mark} ${message.text}`, ...below.map((line) => (line === '' ? '' : indent + line))].join('\n');
}

/** Returns a message on one line, without the details of several places. */
export function tellOnALine({ text, about }: GroupedMessage): string {
  const [first, ...others] = about;
  if (first === undefined) return text;
  if (others.length === 0) return tellOfOne(text, first);
  return `${[namesOf(packagesOf(about)), ...placesOf(about)].join(', ')}: ${text}`;
}

/** Returns a few places by name, or the number of places; empty for messages about whole packages. */
function placesOf(about: readonly MessageSubject[]): readonly string[] {
  const places = [...new Set(about.flatMap(({ place }) => place ?? []))];
  if (places.length < FEW) return places.map(code);
  return packagesOf(about).length === 1 ? [`${places.length} places`] : [];
}

const FEW = 4;

function tellOfOne(text: string, { package: name, place, detail }: MessageSubject): string {
  const where = place === null ? name : `${name}, ${code(place)}`;
  return `${where}: ${detail === null ? text : `${text.replace(/\.$/, '')} (${detail}).`}`;
}

/** Returns one line for all places with the same text, after the names of their packages. */
export function linesOf(about: readonly MessageSubject[]): readonly string[] {
  const groups = new Map<string, MessageSubject[]>();
  for (const one of about) {
    const key = JSON.stringify([one.place, one.detail]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [{ place, detail } = { place: null, detail: null }] = group;
    return [packagesOf(group).join(', '), ...(place === null ? [] : [code(place)]), ...(detail === null ? [] : [detail])].join(': ');
  });
}

function packagesOf(about: readonly MessageSubject[]): readonly string[] {
  return [...new Set(about.map((one) => one.package))];
}

function countOf(about: readonly MessageSubject[]): string {
  const names = packagesOf(about).length;
  const places = `${about.length} ${about.length === 1 ? 'place' : 'places'}`;
  return names === about.length ? `${names} packages` : `${places} in ${names === 1 ? 'one package' : `${names} packages`}`;
}
