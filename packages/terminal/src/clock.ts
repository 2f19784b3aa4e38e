import type { Clock, Instant } from '@tributary/model/time';

/** The clock of the machine; everything else takes a `Clock` from its caller. */
export const systemClock: Clock = () => Date.now() as Instant;
