import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { releasesOfWeeks, sortIntoReleases } from './releases.js';

test('the releases of some weeks are those that are found when these weeks are sorted alone', () => {
  const change = fc.record({ week: fc.nat(5), value: fc.nat(20), release: fc.nat(6) });
  fc.assert(
    fc.property(fc.array(change), fc.nat(5), fc.nat(5), (changes, from, length) => {
      const sorted = [...changes].sort((a, b) => a.value - b.value);
      const columns = {
        week: Float64Array.from(sorted, ({ week }) => week),
        value: Float64Array.from(sorted, ({ value }) => value),
        // Numbers the releases in the order of their names.
        release: Float64Array.from(sorted, ({ release }) => [...new Set(sorted.map((one) => one.release))].sort().indexOf(release)),
      };
      const wanted = sorted.filter(({ week }) => week >= from && week < from + length);
      const expected = sortIntoReleases(wanted.map(({ value, release }) => ({ value, cluster: String(release) })));
      expect(releasesOfWeeks(columns, { from, to: from + length })).toEqual(expected);
    }),
  );
});
