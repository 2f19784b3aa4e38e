import assert from 'node:assert/strict';
import test from 'node:test';
import { findBike, isEmpty, isFull, readStation } from '../index.js';

const square = readStation({ name: 'Praça Velha', lat: 38.709, lon: -9.133 }, [42]);
const pier = readStation({ name: 'Old pier', lat: 38.703, lon: -9.17 }, [undefined]);

test('an empty station is passed by', () => assert.equal(findBike(pier, [square, pier]).place.name, 'Praça Velha'));
test('the distance', () => assert.equal(Math.round(findBike(pier, [square]).metres / 10), 328));
test('full and empty', () => assert.deepEqual([isFull(square), isEmpty(pier)], [true, true]));
