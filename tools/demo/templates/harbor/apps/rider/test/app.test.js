import assert from 'node:assert/strict';
import test from 'node:test';
import { receipt, welcome } from '../src/app.js';

const pier = { name: 'Old pier', lat: 38.703, lon: -9.17, bikes: [42] };

test('a rider at the pier is greeted', () => {
  assert.equal(welcome({ name: 'Ada', lat: 38.703, lon: -9.17 }, [pier]), 'Ahoy, Ada! A bike is 0 m away.');
});

test('a receipt', () => assert.equal(receipt({ zone: 'centre', minutes: 10, from: pier, to: pier }), '0 km: €1.75'));
