import { plumbing } from '@tributary/git/git';
import { parseObjectId } from '@tributary/model/ids';
import { parseAbsolutePath } from '@tributary/model/paths';
import { move } from './moving.fixture.js';
import { proveMove } from './prove.js';

// stress.long.test.ts runs this in a separate process. It moves the history of a bare repository, proves it, and reports the cost.
const git = plumbing(parseAbsolutePath(process.argv[2] ?? ''));
const refs = (await git.text(['for-each-ref', '--format=%(objectname) %(refname:strip=2)', 'refs/tags'])).split('\n');
const tags = refs.map((line) => ({ id: parseObjectId(line.slice(0, line.indexOf(' '))), name: line.slice(line.indexOf(' ') + 1) }));
const moved = await move(git, { tip: parseObjectId(await git.text(['rev-parse', 'refs/heads/main'])), tags });
const proof = await proveMove(git, moved, { format: 'sha1' });
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ ...proof.counts, tags: proof.tags, method: proof.method, peakMegabytes }));
