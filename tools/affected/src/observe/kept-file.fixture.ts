// For the benchmark, which measures how files of observations are read.
export { formatObservations } from './kept-observation.js';
export type { Observation } from './observation.js';
