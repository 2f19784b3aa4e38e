import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import fc from 'fast-check';
import { FolderHistory } from './select.js';

/**
 * Runs `A:1, B:1 <- A, C:2 <- B` and returns what each commit becomes, as `A, B=A, C <- A`. Each part names a commit,
 * the content of its folder (`-` if it has none) and its parents.
 */
function select(text: string): string {
  const history = new FolderHistory();
  const images = new Map<string, ObjectId | undefined>();
  const described = text.split(', ').map((line) => {
    const [, name = '', content = '', , parents = ''] = /^(\w+):(\S+)( <- (.*))?$/.exec(line) ?? [];
    const tree = content === '-' ? undefined : (content as ObjectId);
    const mapped = history.map({
      parents: parents
        .split(' ')
        .filter((parent) => parent !== '')
        .map((parent) => images.get(parent)),
      tree,
    });
    if (mapped.kind === 'before') return `${name} before`;
    images.set(name, mapped.kind === 'same' ? mapped.as : (name as ObjectId));
    if (mapped.kind === 'same') return `${name}=${mapped.as}`;
    history.add(name as ObjectId, tree, mapped.parents);
    return mapped.parents.length === 0 ? name : `${name} <- ${mapped.parents.join(' ')}`;
  });
  return described.join(', ');
}

test.each([
  ['a commit that did not change the folder is the one before', 'A:1, B:1 <- A, C:2 <- B', 'A, B=A, C <- A'],
  ['history begins where the folder appears', 'A:-, B:- <- A, C:1 <- B', 'A before, B before, C'],
  ['a folder that vanishes leaves an empty commit, and can come back', 'A:1, B:- <- A, C:- <- B, D:1 <- C', 'A, B <- A, C=B, D <- B'],
  ['a merge of two lines that changed the folder stays', 'A:1, B:2 <- A, C:3 <- A, M:4 <- B C', 'A, B <- A, C <- A, M <- B C'],
  ['the order of the parents stays', 'A:1, B:2 <- A, C:3 <- A, M:4 <- C B', 'A, B <- A, C <- A, M <- C B'],
  [
    'a merge that took the content of one line stays, for the other line would be lost',
    'A:1, B:2 <- A, C:3 <- A, M:2 <- B C',
    'A, B <- A, C <- A, M <- B C',
  ],
  ['a merge of a line that did not touch the folder goes away', 'A:1, B:2 <- A, C:1 <- A, M:2 <- B C', 'A, B <- A, C=A, M=B'],
  ['so does one where neither did', 'A:1, B:1 <- A, C:1 <- A, M:1 <- B C', 'A, B=A, C=A, M=A'],
  ['so does one of a line from before the folder', 'A:-, B:1 <- A, M:1 <- B A', 'A before, B, M=B'],
  ['a merge that brings the content of its own ancestor back stays', 'A:1, B:2 <- A, M:1 <- B A', 'A, B <- A, M <- B A'],
  ['a line whose changes cancel out is kept by going on from it', 'A:1, B:2 <- A, C:1 <- B, M:1 <- A C', 'A, B <- A, C <- B, M=C'],
  ['whatever the order of its parents', 'A:1, B:2 <- A, C:1 <- B, M:1 <- C A', 'A, B <- A, C <- B, M=C'],
  ['two lines that came to the same content both stay', 'A:1, B:2 <- A, C:2 <- A, M:2 <- B C', 'A, B <- A, C <- A, M <- B C'],
  [
    'an octopus loses the arms that did not touch the folder only',
    'A:1, B:2 <- A, C:1 <- A, D:3 <- A, M:4 <- B C D',
    'A, B <- A, C=A, D <- A, M <- B A D',
  ],
  ['an octopus with one arm that touched it goes away', 'A:1, B:2 <- A, C:1 <- A, D:1 <- A, M:2 <- C B D', 'A, B <- A, C=A, D=A, M=B'],
  ['two roots stay two roots', 'A:1, B:2, M:3 <- A B', 'A, B, M <- A B'],
  ['a merge that takes the folder away stays', 'A:1, B:2 <- A, C:3 <- A, M:- <- B C, N:4 <- M', 'A, B <- A, C <- A, M <- B C, N <- M'],
  [
    'a merge of a line that never had the folder, and takes it away, is an empty commit',
    'A:-, B:1 <- A, C:- <- A, M:- <- B C',
    'A before, B, C before, M <- B',
  ],
  [
    'criss-cross merges stay',
    'A:1, B:2 <- A, C:3 <- A, D:4 <- B C, E:5 <- C B, M:6 <- D E',
    'A, B <- A, C <- A, D <- B C, E <- C B, M <- D E',
  ],
])('%s', (_law, history, expected) => {
  expect(select(history)).toBe(expected);
});

interface Drawn {
  readonly tree: number;
  readonly parents: readonly number[];
}

const anyHistory = fc.array(fc.record({ tree: fc.nat(3), parents: fc.array(fc.nat(30), { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 25,
});
const draw = (history: readonly Drawn[]): string =>
  history
    .map(({ tree, parents }, at) => {
      const drawn = at === 0 ? [] : [...new Set(parents.map((parent) => `c${parent % at}`))];
      return `c${at}:${tree === 0 ? '-' : tree}${drawn.length === 0 ? '' : ` <- ${drawn.join(' ')}`}`;
    })
    .join(', ');

test('no commit that changed the folder is lost, whatever the history', () => {
  fc.assert(
    fc.property(anyHistory, (drawn) => {
      const text = draw(drawn);
      const described = new Map(
        select(text)
          .split(', ')
          .map((line) => [line.split(/[ =]/)[0], line]),
      );
      const trees = new Map(text.split(', ').map((line) => line.split(' ')[0]?.split(':') as [string, string]));
      for (const line of text.split(', ')) {
        const [head = '', parents = ''] = line.split(' <- ');
        const [name = '', tree] = head.split(':');
        const changed = parents === '' ? tree !== '-' : parents.split(' ').every((parent) => trees.get(parent) !== tree);
        if (changed) expect(described.get(name)).not.toMatch(/=|before/);
      }
    }),
  );
});

test('from the last commit the new history reaches every change that the old one reached', () => {
  fc.assert(
    fc.property(anyHistory, (drawn) => {
      const text = draw(drawn);
      const old = parentsIn(text);
      const described = select(text);
      const images = new Map(
        described.split(', ').map((line) => {
          const [name = '', as] = line.split(/ <- | before|=/);
          return [name, line.includes('=') ? as : line.endsWith('before') ? undefined : name] as const;
        }),
      );
      const fresh = parentsIn(
        described
          .split(', ')
          .filter((line) => !/=|before/.test(line))
          .join(', '),
      );
      const last = `c${drawn.length - 1}`;
      const image = images.get(last);
      const reached = image === undefined ? new Set<string>() : reachable(fresh, image);
      for (const name of reachable(old, last)) if (images.get(name) === name) expect(reached).toContain(name);
    }),
  );
});

function parentsIn(text: string): Map<string, readonly string[]> {
  return new Map(
    text.split(', ').map((line) => {
      const [head = '', parents] = line.split(' <- ');
      return [head.split(':')[0] ?? '', parents?.split(' ') ?? []];
    }),
  );
}

function reachable(parents: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const seen = new Set([from]);
  for (const name of seen) for (const parent of parents.get(name) ?? []) seen.add(parent);
  return seen;
}
