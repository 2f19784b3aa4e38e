'use strict';

module.exports = require('./src/quote.js');
