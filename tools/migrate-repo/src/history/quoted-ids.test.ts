import { expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { Dice } from '@tributary/test-repo/dice';
import { Ancestry } from './ancestry.js';
import { QuotedIds } from './quoted-ids.js';

const id = (start: string): ObjectId => start.padEnd(40, '0') as ObjectId;

test('an ancestor is known by its abbreviated id; others, and commits without an image, are not', () => {
  const ids = new QuotedIds();
  ids.add(id('aaaaaaa1'), [], id('b1'));
  ids.add(id('ccccccc1'), [id('aaaaaaa1')], id('b2'));
  ids.add(id('ddddddd1'), [], id('b3'));
  ids.add(id('eeeeeee1'), [id('ccccccc1')], undefined);
  expect(ids.newId('aaaaaaa', [id('ccccccc1')])).toBe('b100000');
  expect(ids.newId(id('aaaaaaa1'), [id('aaaaaaa1')])).toBe(id('b1'));
  expect(ids.newId('ddddddd', [id('ccccccc1')])).toBeUndefined();
  expect(ids.newId('aaaaaaa', [id('ddddddd1')])).toBeUndefined();
  expect(ids.newId('eeeeeee', [id('eeeeeee1')])).toBeUndefined();
  expect(ids.newId('aaaaaaa', [])).toBeUndefined();
});

test('an abbreviation that two ancestors have names none; one that another line has, too, names the ancestor', () => {
  const ids = new QuotedIds();
  ids.add(id('aaaaaaa1'), [], id('b1'));
  ids.add(id('aaaaaaa2'), [id('aaaaaaa1')], id('b2'));
  expect(ids.newId('aaaaaaa', [id('aaaaaaa2')])).toBeUndefined();
  expect(ids.newId('aaaaaaa', [id('aaaaaaa1')])).toBe('b100000');
  expect(ids.newId('aaaaaaa2', [id('aaaaaaa2')])).toBe('b2000000');
});

test('the new id is as long as it must be to name one of the ancestors, and what is not an ancestor does not matter', () => {
  const ids = new QuotedIds();
  ids.add(id('aaaaaaa1'), [], id('bbbbbbbbbb1'));
  ids.add(id('ccccccc1'), [id('aaaaaaa1')], id('bbbbbbbbbb2'));
  ids.add(id('ddddddd1'), [], id('bbbbbbbbbb1f'));
  expect(ids.newId('aaaaaaa', [id('aaaaaaa1')])).toBe('bbbbbbb');
  expect(ids.newId('aaaaaaa', [id('ccccccc1')])).toBe('bbbbbbbbbb1');
});

test('in a long line every commit can quote the first', () => {
  const ids = new QuotedIds();
  const name = (at: number): ObjectId => id(at.toString(16).padStart(8, '0').split('').reverse().join(''));
  for (let at = 0; at < 5000; at++) {
    const parents = at === 0 ? [] : [name(at - 1)];
    if (at > 0) expect(ids.newId(name(0), parents)).toBe(name(0));
    ids.add(name(at), parents, name(at));
  }
});

test('ancestry is what a plain walk finds', () => {
  const dice = new Dice(7);
  const ancestry = new Ancestry();
  const all: { id: ObjectId; reached: Set<ObjectId> }[] = [];
  for (let at = 0; at < 1500; at++) {
    const parents = at === 0 || dice.chance(3) ? [] : Array.from({ length: 1 + dice.below(3) }, () => dice.pick(all.slice(-20)));
    const own = id(at.toString(16).padStart(8, '0'));
    ancestry.add(
      own,
      parents.map((parent) => parent.id),
    );
    all.push({ id: own, reached: new Set([own, ...parents.flatMap(({ reached }) => [...reached])]) });
  }
  for (let count = 0; count < 3000; count++) {
    const [from, to] = [dice.pick(all), dice.pick(all)];
    expect(ancestry.reaches([from.id], to.id)).toBe(from.reached.has(to.id));
  }
  expect(ancestry.reaches([id('f')], id('f'))).toBe(false);
});
