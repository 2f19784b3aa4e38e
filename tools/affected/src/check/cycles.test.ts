import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCycles } from './cycles.js';
import { memberGraph } from './project.fixture.js';

function describeCycles(text: string): readonly string[] {
  return findCycles(memberGraph(text)).map(
    ({ workspaces, fields, chain }) => `${workspaces.join(' ')}: ${fields.join(' ')}, ${chain.join('>')}`,
  );
}

const cases: readonly (readonly [graph: string, cycles: readonly string[]])[] = [
  ['a -> b, b -> c, a -> c', []],
  ['a -> a', []],
  ['a -> b, b -> a', ['a b: dependency, a>b']],
  ['a -> b, b -dev-> a, c -> a', ['a b: dependency dev, a>b']],
  ['a -> b, b -> c, c -> d, d -> a, c -> a', ['a b c d: dependency, a>b>c']],
  ['c -> d, d -> c, a -> b, b -> a, b -> c', ['a b: dependency, a>b', 'c d: dependency, c>d']],
  ['a -> b, b -> a, b -dev-> c, c -> a', ['a b c: dependency dev, a>b']],
  ['a -any-> b, b -peer-> a', ['a b: any peer, a>b']],
];

test.each(cases)('in "%s": %j', (graph, cycles) => {
  expect(describeCycles(graph)).toEqual(cycles);
});

test('a cycle of three thousand does not exhaust the stack', () => {
  const edges = Array.from({ length: 3000 }, (_, at) => `n${at} -> n${(at + 1) % 3000}`);
  expect(findCycles(memberGraph(edges.join(', ')))[0]?.chain).toHaveLength(3000);
});

test('two workspaces are in one cycle exactly if each can reach the other', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
  const edges = fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(edges, (list) => {
      const reaches = (from: string, to: string): boolean => {
        const seen = new Set([from]);
        for (const at of seen) for (const [a, b] of list) if (a === at) seen.add(b);
        return seen.has(to);
      };
      const cycles = findCycles(memberGraph(list.map(([a, b]) => `${a} -> ${b}`).join(', ')));
      for (const a of new Set(list.flat())) {
        for (const b of new Set(list.flat())) {
          const together = cycles.some(({ workspaces }) => workspaces.some((one) => one === a) && workspaces.some((one) => one === b));
          if (a !== b) expect(together).toBe(reaches(a, b) && reaches(b, a));
        }
      }
      for (const { chain } of cycles) {
        for (const [at, from] of chain.entries()) expect(list.some(([a, b]) => a === from && b === (chain[at + 1] ?? chain[0]))).toBe(true);
      }
    }),
  );
});
