import type { Clock, Instant } from '@tributary/model/time';

/** The system clock. Everything else takes a `Clock` from its caller. */
export const systemClock: Clock = () => Date.now() as Instant;
