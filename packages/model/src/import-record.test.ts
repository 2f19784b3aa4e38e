import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { branchRef, parseObjectId, parseWorkspaceName } from './ids.js';
import { formatImportRecord, type ImportRecord, isReadableRecord, parseImportRecord } from './import-record.js';
import { parseRepoPath } from './paths.js';

const record: ImportRecord = {
  package: parseWorkspaceName('@acme/ui'),
  path: parseRepoPath('packages/ui'),
  source: 'https://host.example/ui',
  sourceRef: 'refs/heads/main',
  sourceCommit: parseObjectId('a'.repeat(40)),
  subdirectory: undefined,
  strategy: 'rewrite',
  messages: 'exact',
  signatures: 'keep',
  tags: { count: 2, marks: 'd'.repeat(64), pattern: '@acme/ui@{version}' },
  sourceTags: 'e'.repeat(43),
  importedTip: parseObjectId('b'.repeat(40)),
};
const block = formatImportRecord(record);
const message = `Bring @acme/ui into packages/ui, with its history\n\nFrom somewhere.\n\n${block}\n`;

const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: length, maxLength: length });
const id = fc.constantFrom(40, 64).chain(hex).map(parseObjectId);
// Any text that our parsers accept in one line, including characters that end a line in JavaScript but not in git.
const word = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', '-', '.', 'ü', '\u2028', '\u2029', '\u0085', '😀'),
  minLength: 1,
  maxLength: 6,
});
const path = word.map((name) => parseRepoPath(`packages/${name}x`));
const anyExact: fc.Arbitrary<ImportRecord> = fc.record({
  package: fc.constantFrom('left-pad', '@acme/ui', 'JSONStream').map(parseWorkspaceName),
  path,
  source: word.map((name) => `https://host.example/${name}: x/${name} Tributary-Path: y`),
  sourceRef: fc.oneof(fc.constant('HEAD'), fc.constantFrom('main', 'ü', 'a\u2028b').map(branchRef)),
  sourceCommit: id,
  subdirectory: fc.option(path, { nil: undefined }),
  strategy: fc.constantFrom('rewrite', 'merge'),
  messages: fc.constant('exact' as const),
  signatures: fc.constant('keep' as const),
  tags: fc.option(fc.record({ count: fc.nat(), marks: hex(64), pattern: fc.constantFrom('{name}@{version}', 'a b', '{tag}') }), {
    nil: undefined,
  }),
  importedTip: id,
});

const mapping: fc.Arbitrary<Pick<ImportRecord, 'messages' | 'signatures'>> = fc.oneof(
  fc.constant({ messages: 'exact' as const, signatures: 'keep' as const }),
  fc
    .option(fc.record({ name: fc.constantFrom('acme/ui', 'group/sub/ui.js', 'a-b/c_d'), forge: fc.constantFrom('gitlab', 'other') }), {
      nil: undefined,
    })
    .chain((repository) =>
      fc.constantFrom({ repository }, { repository, mentions: 'zero-width' as const }, { repository, mentions: 'in-bots' as const }),
    )
    .map((messages) => ({ messages, signatures: 'moved' as const })),
);
const anyImport = fc.tuple(anyExact, mapping).map(([one, how]): ImportRecord => ({ ...one, ...how }));
const anyRecord = fc.oneof(
  anyImport,
  fc.tuple(anyImport, hex(43)).map(([one, sourceTags]): ImportRecord => ({ ...one, sourceTags })),
  fc.tuple(anyImport, id).map(([one, previousTip]): ImportRecord => ({ ...one, previousTip })),
);

test('every record is read back as it was written, alone and below a message of any kind', () => {
  const prose = fc.array(fc.constantFrom('Bring x', '', '  ', 'Tributary-Path: evil', 'Tributary-Import: 9', block, '---', '# x', ' y'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(anyRecord, prose, fc.constantFrom('\n', '\r\n'), (one, lines, lineEnd) => {
      expect(parseImportRecord(formatImportRecord(one))).toEqual(one);
      const whole = `${[...lines, '', formatImportRecord(one)].join('\n').replaceAll('\n', lineEnd)}${lineEnd}`;
      expect(parseImportRecord(whole)).toEqual(one);
    }),
  );
});

test('git reads the same trailers', () => {
  fc.assert(
    fc.property(anyRecord, (one) => {
      const written = formatImportRecord(one);
      const read = spawnSync('git', ['interpret-trailers', '--parse', '--no-divider'], {
        input: `Title\n\nProse.\n\n${written}\n`,
        encoding: 'utf8',
      });
      expect(read.stdout).toBe(`${written}\n`);
    }),
    { numRuns: 20 },
  );
});

test('the block has a line for each trailer, and none for a subdirectory that there is not', () => {
  expect(block.split('\n').map((line) => line.replace(/: .*/, ''))).toEqual(
    [
      'Import',
      'Package',
      'Path',
      'Source',
      'Source-Ref',
      'Source-Commit',
      'Strategy',
      'Messages',
      'Signatures',
      'Tags',
      'Source-Tags',
      'Mapping-Version',
      'Imported-Tip',
    ].map((key) => `Tributary-${key}`),
  );
  expect(block).toContain(`Tributary-Tags: 2 ${'d'.repeat(64)} @acme/ui@{version}\n`);
});

test('a sync is of another version, so that a reader that knows none does not take it for an import', () => {
  const sync = formatImportRecord({ ...record, previousTip: parseObjectId('c'.repeat(40)) });
  expect(sync).toBe(`${block.replace('Import: 1', 'Import: 2')}\nTributary-Previous-Tip: ${'c'.repeat(40)}`);
});

const asVersion1 = (text: string): string => text.replace('Mapping-Version: 2', 'Mapping-Version: 1');

test('a record of version 1, which knew exact messages only, reads as one of version 2 does', () => {
  expect(parseImportRecord(asVersion1(message))).toEqual(record);
});

describe('a record is found', () => {
  const cases: readonly (readonly [how: string, text: string])[] = [
    ['in the message of a merge', message],
    ['with line ends of Windows', message.replaceAll('\n', '\r\n')],
    ['without a line end', message.trimEnd()],
    ['before empty lines', `${message}\n \n\n`],
    ['beside the trailers of others', `${message}Signed-off-by: Ada <ada@example.com>\nChange-Id: Ib\n`],
    ['before other trailers', message.replace('Tributary-Import', 'Reviewed-by: Bob\nTributary-Import')],
    ['after a line with blanks only', message.replace('\n\nTributary', '\n \t\nTributary')],
    ['with a trailer that a later Tributary may add', `${message}Tributary-Note: x\n`],
    ['when the prose says something like it', message.replace('From somewhere.', 'Tributary-Subdirectory: evil\nTributary-Path: evil')],
    ['when the prose quotes a whole one', message.replace('From somewhere.', block.replace('packages/ui', 'packages/evil'))],
  ];
  test.each(cases)('%s', (_, text) => {
    expect(parseImportRecord(text)).toEqual(record);
  });

  test('with a folded line, as git unfolds it', () => {
    const folded = message.replace('https://host.example/ui', 'https://host.example/a\n  b');
    expect(parseImportRecord(folded)).toEqual({ ...record, source: 'https://host.example/a b' });
  });
});

describe('there is no record', () => {
  const cases: readonly (readonly [why: string, text: string])[] = [
    ['in an empty message', ''],
    ['in prose', 'Bring x into y\n'],
    ['where it is quoted in the prose only', `Describe the trailers\n\n${block}\n\nThey stand at the end of a merge.\n`],
    ['where it is indented', `Describe\n\n    ${block.replaceAll('\n', '\n    ')}\n`],
    ['where it is quoted as in a mail', `Describe\n\n> ${block.replaceAll('\n', '\n> ')}\n`],
    ['where the other trailers stand without their head', message.replace('Tributary-Import: 1\n', '')],
    ['where the name has other letters', message.replaceAll('Tributary-', 'X-Tributary-')],
  ];
  test.each(cases)('%s', (_, text) => {
    expect(parseImportRecord(text)).toBeUndefined();
  });
});

test('imports that broke mentions otherwise keep their version, and others have a new one', () => {
  const repository = { name: 'acme/ui', forge: 'other' } as const;
  const qualified = { ...record, signatures: 'moved' as const };
  const versionOf = (messages: ImportRecord['messages']): string | undefined =>
    /Mapping-Version: (.*)/.exec(formatImportRecord({ ...qualified, messages }))?.[1];
  expect(versionOf({ repository })).toBe('4');
  expect(versionOf({ repository, mentions: 'in-bots' })).toBe('3');
  expect(versionOf({ repository, mentions: 'zero-width' })).toBe('2');
  const old = formatImportRecord({ ...qualified, messages: { repository } }).replace('Mapping-Version: 4', 'Mapping-Version: 2');
  expect(parseImportRecord(old)).toMatchObject({ messages: { repository, mentions: 'zero-width' } });
});

test('a digest that is missing or malformed is unknown', () => {
  const { sourceTags: _, ...rest } = record;
  for (const text of ['', `Tributary-Source-Tags: ${'e'.repeat(42)}\n`, 'Tributary-Source-Tags: none\n'])
    expect(parseImportRecord(message.replace(/Tributary-Source-Tags: .*\n/, text))).toEqual(rest);
});

describe('a record that cannot be read says why', () => {
  const without = (key: string): string => message.replace(new RegExp(`Tributary-${key}: .*\n`), '');
  const withValue = (key: string, value: string): string => message.replace(new RegExp(`(Tributary-${key}: ).*`), `$1${value}`);
  const cases: readonly (readonly [text: string, why: string])[] = [
    [withValue('Import', '3'), 'it has version 3, but this Tributary reads versions 1 and 2'],
    [withValue('Import', ''), 'it has version , but this Tributary reads versions 1 and 2'],
    [withValue('Import', '2'), 'Tributary-Previous-Tip is missing'],
    [withValue('Mapping-Version', '5'), 'Tributary-Mapping-Version is "5", known are: 1, 2, 3, 4'],
    ...[
      'Package',
      'Path',
      'Source',
      'Source-Ref',
      'Source-Commit',
      'Strategy',
      'Messages',
      'Signatures',
      'Tags',
      'Mapping-Version',
      'Imported-Tip',
    ].map((key) => [without(key), `Tributary-${key} is missing`] as const),
    [withValue('Source', ''), 'Tributary-Source is missing'],
    [withValue('Package', '../x'), '"../x" is not a valid package name'],
    [withValue('Path', '../x'), '"../x" cannot be used as a path: it leaves the repository'],
    [withValue('Path', '.git/hooks'), 'it passes through .git'],
    [withValue('Source-Commit', '--all'), 'git answered "--all" where an object id was expected'],
    [withValue('Imported-Tip', 'HEAD'), 'git answered "HEAD" where an object id was expected'],
    [withValue('Strategy', 'squash'), 'Tributary-Strategy is "squash", known are: rewrite, merge'],
    [withValue('Messages', 'qualify'), 'Tributary-Messages is "qualify", known are: exact, qualified'],
    [withValue('Messages', 'qualified a/b/'), 'Tributary-Messages is "qualified a/b/", known are: exact, qualified'],
    [withValue('Messages', 'qualified acme/ui'), 'contradicts Tributary-Signatures "keep"'],
    [withValue('Signatures', 'moved'), 'Tributary-Messages is "exact", which contradicts Tributary-Signatures "moved"'],
    [withValue('Signatures', 'strip'), 'Tributary-Signatures is "strip", known are: keep, moved'],
    [asVersion1(withValue('Signatures', 'moved')), 'Tributary-Signatures is "moved", known are: keep'],
    [asVersion1(withValue('Messages', 'qualified acme/ui')), 'Tributary-Messages is "qualified acme/ui", known are: exact'],
    [withValue('Tags', '2'), 'Tributary-Tags is "2"'],
    [withValue('Tags', '-1 x y'), 'Tributary-Tags is "-1 x y"'],
    [`${message}Tributary-Subdirectory: /x\n`, '"/x" cannot be used as a path: it is absolute'],
    [`${message}Tributary-Path: packages/other\n`, 'it has the same trailer twice'],
    [`${message}${block}\n`, 'it has the same trailer twice'],
  ];
  test.each(cases.map(([text, why]) => [why, text]))('%s', (why, text) => {
    const read = parseImportRecord(text);
    expect(read).toEqual({ problem: expect.stringContaining(why) });
    expect(read !== undefined && isReadableRecord(read)).toBe(false);
  });

  test('and a good one is told from it', () => {
    expect(isReadableRecord(record)).toBe(true);
  });
});
