// Copies the CI templates that `affected init` writes from `ci/` to `out/templates/` of the tool in the current folder. Runs after
// bundle.mjs, which empties `out`. Excludes the hook for agents, which users should add only after reading a guide.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEFT_OUT = join('buildkite', 'agent-environment');
const templates = fileURLToPath(new URL('../ci', import.meta.url));

cpSync(templates, join(process.cwd(), 'out/templates'), {
  recursive: true,
  filter: (file) => !file.endsWith(LEFT_OUT),
});
