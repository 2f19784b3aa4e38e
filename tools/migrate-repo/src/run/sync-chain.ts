import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { shellWord } from '@tributary/model/shell-word';
import { readRef } from '../io/read-ref.js';
import { type SurveyedImport, surveyImports } from '../io/survey.js';
import type { LocalRepository } from '../io/target.js';
import { chooseImport } from './choose-import.js';
import { shallow } from './verify.js';

/** An import that HEAD contains, with the syncs that continue it: the newest first, the first import last. */
export type ImportChain = readonly [SurveyedImport, ...SurveyedImport[]];

/**
 * Returns the imports of a package that HEAD contains. Throws `IMPORT_NOT_FOUND`, `PROOF_MISSING` if only another
 * branch has it or its history was lost, `PROOF_FAILED` for an unreadable record, `IMPORT_MOVED`, `TARGET_SHALLOW`.
 */
export async function readChain(target: LocalRepository, name: WorkspaceName): Promise<ImportChain> {
  const ref = await readRef(target.userGit, undefined);
  const survey = await surveyImports(target.git, ref);
  if (survey.extent === 'shallow') throw shallow(name);
  const newest = chooseImport(survey, ref, name);
  if (newest.state.kind === 'held' && newest.state.to !== undefined) throw moved(newest, newest.state.to);
  const chain: [SurveyedImport, ...SurveyedImport[]] = [newest];
  const before = ({ record }: SurveyedImport): SurveyedImport | undefined =>
    survey.imports.find((one) => one.state.kind === 'synced' && one.record.importedTip === record.previousTip && !chain.includes(one));
  for (let at = before(newest); at !== undefined; at = before(at)) chain.push(at);
  return chain;
}

function moved({ record }: SurveyedImport, to: string): ToolError {
  return new ToolError({
    code: 'IMPORT_MOVED',
    message: `${record.package} was imported into ${record.path}, but is now in ${to}.`,
    hint: `The imported commits use ${record.path}. First move the folder back: git mv ${shellWord(to)} ${shellWord(record.path)}`,
    data: { name: record.package, path: record.path, movedTo: to },
  });
}
