import { expect, test } from '@jest/globals';
import { parseWorkspaceName } from '@tributary/model/ids';
import fc from 'fast-check';
import { findStranded, type OrderedPackage, orderImportedPackages } from './order.js';

/** Parses `app -> lib core, lib -> core, alone`. */
function parse(text: string): OrderedPackage[] {
  return text.split(', ').map((line) => {
    const [name = '', dependsOn = ''] = line.split(' -> ');
    return { name: parseWorkspaceName(name), dependsOn: new Set(dependsOn.split(' ').filter((one) => one !== '')) };
  });
}

const order = (text: string): string =>
  orderImportedPackages(parse(text))
    .map(({ name }) => name)
    .join(' ');
const stranded = (text: string, missing: string): string =>
  [...findStranded(parse(text), missing.split(' ').map(parseWorkspaceName))].map(([{ name }, why]) => `${name} (${why})`).join(', ');

test.each([
  ['dependencies come first', 'app -> lib core, lib -> core, core', 'core lib app'],
  ['the name decides where nothing else does', 'c, a, b', 'a b c'],
  ['what is asked for and does not come plays no part', 'a -> react, b -> a lodash', 'a b'],
  ['a package that asks for itself is no obstacle', 'b -> b, a -> a b', 'b a'],
  ['a cycle is entered by name', 'b -> a, a -> b, c -> b', 'b a c'],
  ['who needs a cycle comes after all of it', '0 -> a, a -> b, b -> c, c -> a', 'c b a 0'],
  ['what a cycle needs comes before it', 'a -> b, b -> a z, z', 'z b a'],
])('%s', (_law, text, expected) => {
  expect(order(text)).toBe(expected);
});

test.each([
  ['nobody is stranded where nothing is missing', 'a -> b, b', '', ''],
  ['who needs a missing one is stranded', 'a -> gone, b', 'gone', 'a (gone)'],
  ['and who needs him', 'a -> b, b -> c, c -> gone, d', 'gone', 'c (gone), b (c), a (b)'],
  ['a whole cycle goes', 'a -> b, b -> a gone', 'gone', 'b (gone), a (b)'],
  ['an unneeded one that is missing strands nobody', 'a -> b, b', 'gone', ''],
  ['a package that asks for itself is not stranded by that', 'a -> a', 'a', ''],
])('%s', (_law, text, missing, expected) => {
  expect(missing === '' ? [...findStranded(parse(text), [])] : stranded(text, missing)).toEqual(
    expected === '' && missing === '' ? [] : expected,
  );
});

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const anyImportedPackages = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => fc.subarray(names).map((dependsOn) => ({ name: parseWorkspaceName(name), dependsOn: new Set(dependsOn) }))),
    ),
  );

/** Returns all packages that an imported package depends on, directly or not. */
function reach(importedPackages: readonly OrderedPackage[], from: OrderedPackage): Set<string> {
  const reached = new Set<string>(from.dependsOn);
  for (const name of reached) for (const next of importedPackages.find((one) => one.name === name)?.dependsOn ?? []) reached.add(next);
  return reached;
}

test('the order is of all, does not depend on the order given, and puts who is needed first unless he needs the other too', () => {
  fc.assert(
    fc.property(anyImportedPackages, (importedPackages) => {
      const ordered = orderImportedPackages(importedPackages);
      expect(new Set(ordered)).toEqual(new Set(importedPackages));
      expect(orderImportedPackages([...importedPackages].reverse())).toEqual(ordered);
      for (const [at, later] of ordered.entries())
        for (const earlier of ordered.slice(0, at))
          if (earlier.dependsOn.has(later.name)) expect(reach(importedPackages, later)).toContain(earlier.name);
    }),
  );
});

test('exactly those are stranded from whom a missing one is reached', () => {
  fc.assert(
    fc.property(anyImportedPackages, fc.subarray(NAMES), (importedPackages, gone) => {
      const there = importedPackages.filter(({ name }) => !gone.includes(name));
      const found = findStranded(there, gone.map(parseWorkspaceName));
      expect(new Set(found.keys())).toEqual(new Set(there.filter((one) => gone.some((name) => reach(there, one).has(name)))));
      for (const [importedPackage, why] of found) expect(importedPackage.dependsOn).toContain(why);
    }),
  );
});
