'use strict';

module.exports = { ...require('./src/distance.js'), ...require('./src/nearest.js') };
