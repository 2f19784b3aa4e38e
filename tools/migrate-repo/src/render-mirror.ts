import { type Duration, formatDuration } from '@tributary/model/time';
import { countOf } from './render.js';
import type { MirrorResult } from './result.js';

/** Renders what a mirror gained, or would gain. */
export function renderMirror(result: MirrorResult): string {
  const { state, name, mirror, commits, tags, milliseconds } = result;
  const branch = result.ref.replace(/^refs\/heads\//, '');
  const tip = result.tip.slice(0, 10);
  if (state === 'up to date') return `Up to date: ${branch} of ${mirror} has all commits of ${name}, up to ${tip}.`;
  const gained = `${countOf(commits, 'commit')} and ${countOf(tags.length, 'tag')}`;
  const ends = `${branch} ${state === 'planned' ? 'would end' : 'ends'} with ${tip}, which corresponds to ${result.head.slice(0, 10)} here.`;
  const from = result.from === null ? 'The branch is new.' : `Before, it ended with ${result.from.slice(0, 10)}.`;
  if (state === 'planned') return [`Plan: ${gained} of ${name} for ${mirror}`, `${ends} ${from}`].join('\n');
  return [`Pushed ${gained} of ${name} to ${mirror}, in ${formatDuration(milliseconds as Duration)}.`, `${ends} ${from}`].join('\n');
}
