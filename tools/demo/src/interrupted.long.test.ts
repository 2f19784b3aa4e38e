import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { startProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';

// A terminal sends Ctrl-C to the whole process group; a cancelled CI job signals only the first process. Neither may leave a process of the
// group, or one that works in the folder of the demo. `setsid` gives the demo its own group.

const cleanUp = cleanUpIn(afterAll);
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each([
  ['the whole group', -1],
  ['the first process alone', 1],
])('an interrupt of %s ends everything that the demo has started', async (_, sign) => {
  const place = cleanUp.add(new TempFolder());
  const cli = join(findProjectRoot(), 'tools/demo/out/cli.cjs');
  const running = cleanUp.add(
    startProcess('setsid', [process.execPath, cli], { cwd: place.path, env: { TMPDIR: place.path, HOME: place.join('nobody') } }),
  );
  const { pid = 0 } = running.child;
  await untilTrue(() => processesIn(place.path).length > 0);
  process.kill(sign * pid, 'SIGINT');
  const { code, stderr } = await running.finished;
  expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('[INTERRUPTED]') });
  await untilTrue(() => processesIn(place.path).length === 0);
  expect(() => process.kill(-pid, 0)).toThrow('ESRCH');
});

/** Returns the ids of processes whose working folder is below a folder, without the demo itself. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && folderOf(id).startsWith(`${folder}/`));
}

function folderOf(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return '';
  }
}

async function untilTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}
