'use strict';

const { total } = require('ledgerly');
const { number } = require('plumbob');
const { zones } = require('./zones.js');

/** What a trip costs, in cents and in words. */
function quote({ zone, minutes }) {
  const { start, perMinute } = zones()[zone];
  const paid = Math.max(0, number(minutes, 'minutes') - 5);
  const cents = Math.min(total([start, paid * perMinute]), 1500);
  return { cents, words: `€${(cents / 100).toFixed(2)}` };
}

module.exports = { quote };
