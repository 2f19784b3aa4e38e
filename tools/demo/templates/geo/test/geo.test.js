'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { near } = require('mooring');
const geo = require('..');
const square = require('../places/praça-velha.json');
const pier = require('../places/pier.json');

test('a degree of latitude has 111 km', () => {
  assert.ok(near(geo.distance({ lat: 0, lon: 0 }, { lat: 1, lon: 0 }), 111195, 5));
});

test('the pier is the nearest to itself', () => {
  assert.equal(geo.nearest(pier, [square, pier]).metres, 0);
});
