import { formatTable } from '@tributary/terminal/table';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Narrator } from '../io/narrator.js';
import { findDrift } from '../organisation/drift.js';
import { MONOREPO_MANIFESTS, REPOSITORIES, SOURCE_FOLDERS } from '../organisation/organisation.js';
import { replay } from '../organisation/replay.js';
import type { Story } from '../organisation/story.js';
import type { Organisation } from './set-up.js';

/** Shows the organisation before the migration. */
export function introduce(narrator: Narrator, { repositories }: Organisation): void {
  narrator.step('Before: six repositories, and a monorepo that has only the app');
  const numbers = ['commits', 'merges', 'tags'].map((title) => ({ title, align: 'right' as const }));
  const columns = [{ title: 'package' }, { title: 'made with' }, ...numbers, { title: 'needs' }];
  const rows = repositories.map(({ story, repo }) => [replay(story).manifest.name, story.manager, ...countsOf(repo), needsOf(story)]);
  narrator.output(formatTable({ columns, rows }, narrator.outputWidth));
  const drift = findDrift([...REPOSITORIES.map((story) => replay(story).manifest), ...MONOREPO_MANIFESTS]);
  const [worst] = drift;
  const apart =
    worst === undefined ? '' : `${drift.length} dependencies have drifted apart, ${worst.name} the most: ${worst.ranges.join(', ')}.`;
  narrator.say(
    `In their histories: an octopus, renamed files, a signature, CRLF line ends, an executable, file names that are not ASCII. ${apart}`,
  );
}

function countsOf(repo: TempRepo): string[] {
  const merges = repo.git('rev-list', '--count', '--merges', 'HEAD');
  return [repo.git('rev-list', '--count', 'HEAD'), merges, String(repo.git('tag').split('\n').length)];
}

/** Returns its dependencies among the six, without their scope. */
function needsOf(story: Story): string {
  const wanted = Object.keys(replay(story).manifest.dependencies ?? {});
  const known = Object.keys(SOURCE_FOLDERS).filter((name) => wanted.includes(name));
  return known.map((name) => name.slice(name.indexOf('/') + 1)).join(', ');
}
