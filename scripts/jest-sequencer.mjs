import Sequencer from '@jest/test-sequencer';

const SLOWEST_FIRST = ['.engines.', '.browser.', '.stores.', '.long.'];

/** Starts the slow rings first, so that no long test file is left for the end, when one worker would run it alone. */
export default class BySlowness extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => SLOWEST_FIRST.findIndex((ring) => path.includes(ring)) >>> 0;
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
