// Extracts the first chart of a page of `commit-to-publish report --format html`, as a picture for the site: `node scripts/site-picture.mjs
// REPORT.html docs/pictures/lead-time.svg`. The demo leaves such a page in its folder.
import { readFileSync, writeFileSync } from 'node:fs';

const [page = '', picture = ''] = process.argv.slice(2);
const html = readFileSync(page, 'utf8');
const chart = /<svg[\s\S]*?<\/svg>/.exec(html)?.[0];
if (chart === undefined) throw new Error(`${page} has no chart.`);
const colors = new Map([...html.matchAll(/(--[\w-]+): (#\w+);/g)].reverse().map(([, name, color]) => [name, color]));
const standing = chart
  .replaceAll(/var\((--[\w-]+)\)/g, (whole, name) => colors.get(name) ?? whole)
  .replace('background:none', 'background:white')
  .replaceAll('currentColor', '#57606a');
writeFileSync(picture, `${standing}\n`);
