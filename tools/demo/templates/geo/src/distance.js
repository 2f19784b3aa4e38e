'use strict';

const { number } = require('plumbob');

const EARTH = 6371008.8;

/** Metres on a great circle. */
function distance(from, to) {
  for (const { lat, lon } of [from, to]) [lat, lon].forEach((degrees) => number(degrees, 'a coordinate'));
  const dLat = radians(to.lat - from.lat) / 2;
  const dLon = radians(to.lon - from.lon) / 2;
  const a = Math.sin(dLat) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon) ** 2;
  return 2 * EARTH * Math.asin(Math.sqrt(a));
}

const radians = (degrees) => (degrees * Math.PI) / 180;

module.exports = { distance };
