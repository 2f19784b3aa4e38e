'use strict';

const { distance } = require('./distance.js');

/** The nearest of some places, with its distance. */
function nearest(from, places) {
  const byDistance = places.map((place) => ({ place, metres: distance(from, place) })).sort((a, b) => a.metres - b.metres);
  return byDistance[0];
}

module.exports = { nearest };
