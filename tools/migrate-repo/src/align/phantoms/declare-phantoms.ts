import { DEFAULT_CONFIG } from '@tributary/model/config';
import type { InternalChoices } from '../choices.js';
import { editManifests, type ManifestChange } from '../manifest-edits.js';
import type { Project, StepOutcome } from '../project.js';
import { searchPhantoms } from './find-phantoms.js';
import type { PhantomFinding } from './phantom.js';

/**
 * Declares what newcomers use without saying so, each package as the old lockfile had it. What is declared already is not touched.
 * Findings by newcomer, packages in the order of their names, then the files that could not be read.
 */
export function declarePhantoms(project: Project, choices: InternalChoices = DEFAULT_CONFIG.migrate.internal): StepOutcome<PhantomFinding> {
  const findings: PhantomFinding[] = [];
  const changes: ManifestChange[] = [];
  for (const newcomer of project.newcomers) {
    const { phantoms, unread } = searchPhantoms(project, newcomer, choices);
    findings.push(...phantoms.map((phantom) => ({ finding: 'phantom' as const, newcomer: newcomer.name, ...phantom })));
    findings.push(...unread.map((file) => ({ finding: 'unread file' as const, newcomer: newcomer.name, ...file })));
    for (const { package: name, declared } of phantoms)
      if (declared !== undefined) changes.push({ folder: newcomer.path, name, ...declared });
  }
  return { edits: editManifests(project.files, changes), findings };
}
