// Rules for the documents: generated pages are up to date, every error code is used, every link has a target.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { generateDocs } from './generate-docs.mjs';
import { longLines, wrapMarkdown } from './wrap-markdown.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = await generateDocs();

test.each(Object.entries(generated))('%s is what `npm run docs` writes', (file, text) => {
  expect(read(file)).toBe(text);
});

test('docs/cli holds generated pages only', () => {
  const files = readdirSync(join(root, 'docs/cli')).map((file) => `docs/cli/${file}`);
  expect(files).toEqual(Object.keys(generated).filter((file) => file.startsWith('docs/cli/')));
});

const [, codeList = ''] = /ERROR_CODES = \[([^\]]*)\]/.exec(read('packages/model/src/errors.ts')) ?? [];
const codes = [...codeList.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code);

test('docs/errors.md has a paragraph for each error code, in the order of the list', () => {
  const [, ...sections] = read('docs/errors.md').split(/^## /m);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(codes);
  expect(sections.filter((section) => !/^\w+\n\n\S[\s\S]{30,}\.\n/.test(section))).toEqual([]);
});

test('every error code is used by a source', () => {
  expect(codes.length).toBeGreaterThan(0);
  const texts = ['packages', 'tools'].flatMap(listSources).map(read).join('\n');
  expect(codes.filter((code) => !texts.includes(`code: '${code}'`))).toEqual([]);
});

describe('exit codes', () => {
  const source = read('packages/terminal/src/exit-codes.ts');
  const exits = [...source.matchAll(/^ {2}\w+: (\d+),/gm)].map(([, code]) => code);

  test('are the rows of the table in docs/errors.md', () => {
    const [, table = ''] = /\| exit code \| meaning \|\n.*\n((?:\|.*\n)+)/.exec(read('docs/errors.md')) ?? [];
    expect([...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code)).toEqual(exits);
    expect(exits).toEqual(expect.arrayContaining(['0', '1', '2', '70', '130']));
  });

  test('of the sources are all in the list', () => {
    const used = listSourcesOfTools().flatMap((file) =>
      [...read(file).matchAll(/process\.(?:exitCode = |exit\()(?:[^;\n]*\? )?(\d+)/g)].map(([, code]) => ({ file, code })),
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter(({ code }) => !exits.includes(code))).toEqual([]);
  });

  test('of the help are those of all tools', () => {
    const [, help = ''] = /const EXIT_CODES_HELP = `([^`]*)`/.exec(read('packages/terminal/src/help-format.ts')) ?? [];
    const named = [...help.matchAll(/^ {2}(\d+) +\w/gm)].map(([, code]) => code);
    expect(named).toEqual(exits.filter((code) => code !== '3'));
  });
});

test('docs/guides/affected-rules.md has one row for each reason for "all", in the order of the list', () => {
  const [, list = ''] = /ALL_CODES = \[([^\]]*)\]/.exec(read('packages/model/src/changeset.ts')) ?? [];
  const rows = [...read('docs/guides/affected-rules.md').matchAll(/^\| `([A-Z]+(?:_[A-Z]+)*)` \|/gm)].map(([, code]) => code);
  expect(rows).toEqual([...list.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code));
  expect(rows).not.toEqual([]);
});

test.each(['ci/github/workflow.yml', 'ci/gitlab/.gitlab-ci.yml'])('docs/guides/tests-on-ci.md shows %s before its first step', (file) => {
  const [head] = read('docs/guides/tests-on-ci.md').split('\n## ');
  expect(head).toContain(`\n\`\`\`yaml\n${read(file)}\`\`\`\n`);
});

test.each(['affected', 'commit-to-publish', 'migrate-repo'])('the page about %s has no option or command that it lacks', (tool) => {
  const known = read(`docs/cli/${tool}.md`);
  const commands = [
    ...read(`docs/reference/${tool}-on-a-page.md`).matchAll(new RegExp(`\`(?:turbo[^(\`]*\\()?(${tool} [^\`]+?)\\)?\``, 'g')),
  ];
  expect(commands.length).toBeGreaterThan(12);
  const options = commands.flatMap(([, command]) => command.split(' -- ')[0].match(/--[\w-]+/g) ?? []);
  expect(options.filter((option) => !known.includes(`\`${option}`))).toEqual([]);
  const names = commands.map(([, command]) => command.split(' ')[1]).filter((word) => /^[a-z]+(?:-shard|-requests)?$/.test(word));
  expect(names.filter((name) => !known.includes(`${tool} ${name}`))).toEqual([]);
});

const LINK = /\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

test.each([...listMarkdown('docs'), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'])(
  'the links of %s lead somewhere',
  (file) => {
    const targets = [...read(file).matchAll(LINK)].map(([, path]) => path);
    expect(targets.filter((path) => !existsSync(join(root, dirname(file), path)))).toEqual([]);
  },
);

test('docs/index.md leads to every guide', () => {
  const text = read('docs/index.md');
  const guides = readdirSync(join(root, 'docs/guides'));
  expect(guides.length).toBeGreaterThan(15);
  expect(guides.filter((guide) => !text.includes(`guides/${guide})`))).toEqual([]);
});

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('the files that %s names exist', (page) => {
  // What a build or a run makes, and `x` as a stand-in for a name.
  const made = ['record.json', 'out/templates', 'site/node_modules'];
  const files = ['.ci', '.github', 'bench', 'ci', 'docs', 'packages', 'scripts', 'site', 'tools'].flatMap(list);
  const paths = [...files.flatMap(partsOf), 'package.json', 'tributary.json', 'CHANGELOG.md'];
  const known = new Set(paths.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))));
  const named = [
    ...read(page)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([\w./-]+(?:\/|\.(?:ts|mjs|json|md|sh|yml))[\w/-]*)`/g),
  ];
  const missing = named.map(([, path]) => path.replace(/\/$/, '')).filter((path) => !known.has(path) && !made.includes(path));
  expect(named.length).toBeGreaterThan(10);
  expect(missing.filter((path) => !/^x?\.\w+\.(?:test\.)?ts$/.test(path))).toEqual([]);
});

test('docs/architecture.md says what each folder of sources is for', () => {
  const text = read('docs/architecture.md');
  const sources = ['packages', 'tools'].flatMap((home) => readdirSync(join(root, home)).map((name) => join(root, home, name, 'src')));
  const folders = sources
    .filter(existsSync)
    .flatMap((one) => readdirSync(one, { withFileTypes: true }).filter((entry) => entry.isDirectory()));
  const names = [...new Set(folders.map(({ name }) => name))];
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !text.includes(`\`${name}/\``))).toEqual([]);
});

/** Returns a path and the folders above it. */
function partsOf(path) {
  return path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
}

/** Returns the rows of all tables of a page, as cells. */
const rowsOf = (page) => [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row]) => row.split('|').map((cell) => cell.trim()));

test('each threat of docs/security.md names a test, or says that it is not covered', () => {
  const rows = rowsOf(read('docs/security.md')).filter(([threat]) => !/^(?:threat|---)/.test(threat));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(([, what, tests]) => !/\]\([^)]+\.test\.ts\)/.test(tests ?? '') && !what.startsWith('Not covered'))).toEqual([]);
});

test('each column of docs/compare.md about another tool links its source, and each cell about Tributary a page or a test', () => {
  const rows = rowsOf(read('docs/compare.md')).filter(([first]) => first !== '---');
  const [heads, cells] = [rows.filter(([first]) => first === ''), rows.filter(([first]) => first !== '')];
  expect([heads.length, cells.length > 30]).toEqual([3, true]);
  expect(heads.flatMap(([, , ...others]) => others).filter((cell) => !cell.includes('](https://'))).toEqual([]);
  // A figure has its source in the head of its table.
  expect(cells.filter(([, own]) => !own.includes('](') && !/^[\d.]+(?: %)?$/.test(own))).toEqual([]);
});

describe('lines of Markdown wrap at 120 columns', () => {
  test.each([...['docs', 'tools'].flatMap(listMarkdown), 'README.md'].filter((file) => !/node_modules|\/out\//.test(file)))(
    'in %s',
    (file) => {
      expect(longLines(read(file))).toEqual([]);
    },
  );

  test('words are kept together that mean something else apart, and what is no text stays', () => {
    const word = 'a'.repeat(118);
    const code = `${word} \`two words\` - end`;
    expect(wrapMarkdown(`- ${code}\n\n| ${code} |\n\`\`\`\n${code}\n\`\`\`\n`)).toBe(
      `- ${word}\n  \`two words\` - end\n\n| ${code} |\n\`\`\`\n${code}\n\`\`\`\n`,
    );
    expect(wrapMarkdown(`${word} - [a link](x.md)\nend`)).toBe(`${word} -\n[a link](x.md) end`);
    expect(longLines(`${word} and more`)).toEqual([`${word} and more`]);
  });
});

function listSources(folder) {
  return list(folder).filter((file) => /^[^/]+\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.(test|fixture)\.ts$/.test(file));
}

function listSourcesOfTools() {
  return ['packages', 'tools'].flatMap(listSources);
}

function listMarkdown(folder) {
  return list(folder).filter((file) => file.endsWith('.md'));
}

/** Returns all files below a folder, relative to the project root. */
function list(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [`${folder}/${entry.name}`];
    return entry.isDirectory() && !/^(node_modules|dist|out|\..*)$/.test(entry.name) ? list(`${folder}/${entry.name}`) : [];
  });
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
