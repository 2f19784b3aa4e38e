import { plumbing } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import type { MemberGraph } from '@tributary/workspaces/members';
import { locate } from '../io/locate.js';
import { readRootTexts } from '../io/reading.js';
import { lockGraphOf } from '../reasons/lock-side.js';
import { withPackageLinks } from '../reasons/package-links.js';
import type { Side } from '../side.js';
import type { AffectedRequest } from './request.js';
import { readSide } from './side.js';

/** The project at the head, read from its manifests, with the fields of its edges. */
export interface HeadProject {
  readonly side: Side;
  /** With the edges that lead through packages. */
  readonly graph: MemberGraph;
}

/** Throws `MANIFEST_INVALID`, `WORKSPACE_DUPLICATE_NAME`, `TARGET_NOT_A_MONOREPO`, and `CONFIG_INVALID` where settings cannot be read. */
export async function readHeadProject(
  request: Pick<AffectedRequest, 'cwd' | 'head'>,
  { signal }: Pick<Services, 'signal'>,
): Promise<HeadProject> {
  const place = locate(request.cwd);
  const git = plumbing(place.gitDir, { signal });
  const head = request.head ?? 'HEAD';
  const texts = await readRootTexts(git, head, place.project);
  const side = await readSide({ git, place, files: [] }, head, { texts, source: 'manifests' });
  if ('all' in side) throw new ToolError({ code: 'CONFIG_INVALID', message: side.all.reason, hint: 'Correct that, and commit it.' });
  return { side, graph: withPackageLinks(side, lockGraphOf(side)) };
}
