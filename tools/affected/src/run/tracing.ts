// The code that only traced runs need: loaded on demand, and bundled once.
export { trace } from './trace.js';
export { beginTrace, openTracing } from './trace-pieces.js';
