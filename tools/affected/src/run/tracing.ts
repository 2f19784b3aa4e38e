// What only a traced run needs: imported when one begins, and packed once.
export { trace } from './trace.js';
export { beginTrace, openTracing } from './trace-pieces.js';
