import { syncBuiltinESMExports } from 'node:module';
import { threadId } from 'node:worker_threads';
import { hookFiles } from './node-hooks/files.js';
import { hookModules } from './node-hooks/modules.js';
import { seeEarlier } from './node-hooks/options.js';
import { hookPrograms } from './node-hooks/programs.js';
import { now, record, recordGap } from './node-hooks/record.js';
import { hookSockets } from './node-hooks/sockets.js';
import { hookUnseen } from './node-hooks/unseen.js';
import { hookVariables } from './node-hooks/variables.js';

// Node loads this file into every process and thread of a traced command, before all other code, by NODE_OPTIONS. It records what tests
// read in a log next to itself (docs/decisions/0044).

record([
  'start',
  {
    pid: process.pid,
    ppid: process.ppid,
    thread: threadId,
    task: process.env['TURBO_HASH'] ?? '',
    node: process.versions.node,
    variables: Object.keys(process.env),
    moment: now(),
  },
]);
try {
  const ours = `--require "${__filename.replaceAll('\\', '/')}"`;
  seeEarlier(ours);
  hookFiles();
  hookModules();
  hookPrograms(ours);
  hookSockets();
  hookUnseen();
  hookVariables();
  syncBuiltinESMExports();
} catch (error) {
  recordGap('not-hooked', `Node ${process.versions.node}: ${String(error)}`);
}
