export * from './src/empty.js';
export * from './src/full.js';
export * from './src/search.js';
export * from './src/station.js';
