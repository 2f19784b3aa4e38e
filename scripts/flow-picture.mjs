// Draws what the three tools do, from what the demo says: `npm run demo > demo.txt`, then `node scripts/flow-picture.mjs demo.txt
// docs/pictures/flow.svg`. A test of the demo compares.
import { readFileSync, writeFileSync } from 'node:fs';

const [output = '', picture = ''] = process.argv.slice(2);
const text = readFileSync(output, 'utf8');

/** Returns what a pattern captures. */
function read(pattern) {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`The demo no longer says ${pattern}.`);
  return found.slice(1);
}

const sources = [...text.matchAll(/^ {2}@harbor\/(\w+) +(npm|Yarn \d) +(\d+) /gm)].map(([, name, manager, commits]) => [
  name,
  `${manager}, ${commits} commits`,
]);
const [commits] = read(/Verified (\d+) commits/);
const [same] = read(/Tests before and after: (\d+) same/);
const [file] = read(/@harbor\/geo +(\S+) changed/);
const [affected, all] = read(/(\d+) of (\d+) workspaces are affected/);
const [, shards] = read(/All (\d+) planned pieces in (\d+) shards ran and passed/);
const [before, after] = read(/^ {2}P50 +(\S+ \S+) +(\S+ \S+) /m);

/** Each has a title, lines of two texts, and the tool that leads to the next. */
const stations = [
  { title: 'Three repositories', lines: sources, tool: 'migrate-repo' },
  {
    title: 'One monorepo',
    lines: [
      ['History', `${commits} commits proven`],
      ['Tests', `${same} of ${sources.length} as before`],
    ],
    tool: 'affected',
  },
  {
    title: 'A pull request',
    lines: [
      [file.split('/').at(-1), 'changed'],
      ['Tests', `${affected} of ${all} workspaces`],
      ['Gate', `${shards} shards passed`],
    ],
    tool: 'commit-to-publish',
  },
  {
    title: 'Merged to released',
    lines: [
      ['Before', `half within ${before}`],
      ['After', `half within ${after}`],
    ],
  },
];

const BOX = { width: 190, height: 112, gap: 56 };
const INK = { text: '#1f2328', soft: '#57606a', line: '#d0d7de', tool: '#0969da' };
const width = stations.length * BOX.width + (stations.length - 1) * BOX.gap + 2;
const height = BOX.height + 42;

const draw = ({ title, lines, tool }, at) => {
  const x = 1 + at * (BOX.width + BOX.gap);
  const row = ([name, value], index) =>
    `<text x="${x + 12}" y="${84 + index * 22}" fill="${INK.soft}">${name}</text><text x="${x + BOX.width - 12}" y="${84 + index * 22}" text-anchor="end" fill="${INK.text}">${value}</text>`;
  const arrow = `<path d="M${x + BOX.width + 6} 92h38m-7 -5l7 5l-7 5" fill="none" stroke="${INK.tool}" stroke-width="1.5"/><text x="${x + BOX.width + BOX.gap / 2}" y="18" text-anchor="middle" font-weight="600" fill="${INK.tool}">${tool}</text>`;
  return [
    `<rect x="${x}" y="32" width="${BOX.width}" height="${BOX.height}" rx="6" fill="#f6f8fa" stroke="${INK.line}"/>`,
    `<text x="${x + 12}" y="56" font-weight="600" fill="${INK.text}">${title}</text>`,
    ...lines.map(row),
    ...(tool === undefined ? [] : [arrow]),
  ].join('\n');
};

writeFileSync(
  picture,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="migrate-repo moves repositories into a monorepo, affected selects tests, commit-to-publish measures" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="white"/>
${stations.map(draw).join('\n')}
</svg>
`,
);
