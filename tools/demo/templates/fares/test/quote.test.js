'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { quote } = require('..');

test('ten minutes in the centre', () => assert.equal(quote({ zone: 'centre', minutes: 10 }).words, '€1.75'));
test('a day costs no more than the cap', () => assert.equal(quote({ zone: 'centre', minutes: 1440 }).cents, 1500));
