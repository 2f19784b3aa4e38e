import { isToolError } from '@tributary/model/errors';
import type { AffectedAnswer, DirectReason } from '@tributary/workspaces/affected';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { describeReason } from '../describe.js';
import { judgeFiles } from '../observe/judge-files.js';
import { declaredIn } from '../observe/observed-edges.js';
import { inOneLine } from '../plan/shape.js';
import type { FileSelection, SparedFiles } from '../plan/spared-files.js';
import { loadRules } from './config.js';
import type { Decision } from './decide.js';
import type { HeadProject } from './head-project.js';
import type { AffectedInputs } from './inputs.js';
import { readJudgeScene } from './judge-scene.js';

/**
 * Finds the test files of selected workspaces that observations prove unaffected. Only a workspace that changed files select is judged: other
 * reasons are not about what a file reads. Returns nothing where something selects every workspace, or objects of git are missing.
 */
export async function spareFiles(
  inputs: AffectedInputs,
  { answer, question }: Decision,
  { side, graph }: Pick<HeadProject, 'side' | 'graph'>,
): Promise<FileSelection | undefined> {
  const { observed } = inputs;
  if (observed?.task === undefined || observed.use !== 'files' || answer.all !== null || inputs.filesAre === 'listed') return undefined;
  const { task, observations } = observed;
  const rules = await loadRules(inputs, side.linked);
  try {
    const scene = await readJudgeScene(inputs, observations, { ...question, members: graph.members, rules });
    const others = otherReasons(answer.members, question.joined.graph);
    const spared = new Map<string, SparedFiles>();
    const whole = new Map<string, string>();
    for (const member of answer.members) {
      const other = others.get(member.name);
      const verdict = other === undefined ? judgeFiles(scene.pieceOf(member, task), observations, scene) : { whole: other };
      if ('whole' in verdict) whole.set(member.name, verdict.whole);
      else {
        // A name with a line break runs: it would end a line of a log.
        const files = verdict.spared.filter((file) => inOneLine(file) === file);
        if (files.length > 0) spared.set(member.name, { ...verdict, files });
      }
    }
    return { spared, whole };
  } catch (error) {
    if (isToolError(error) && ['GIT_FAILED', 'OBSERVATION_INVALID'].includes(error.code)) return undefined;
    throw error;
  }
}

type Selected = AffectedAnswer['members'];

/**
 * Returns, by workspace, why it is selected other than by changed files, itself or through a dependency. Nobody has to read the cause then, such
 * as a rule of the user's.
 */
function otherReasons(members: Selected, graph: DependencyGraph): ReadonlyMap<string, string> {
  const isNeeded = declaredIn(graph, 'transitive');
  const places = new Map<string, number>(graph.members.map(({ name }, place) => [name, place]));
  const causes = members.filter(({ reasons }) =>
    reasons.some(({ kind }) => kind !== 'dependency' && kind !== 'always' && !isOfFiles(kind)),
  );
  return new Map(
    members.flatMap(({ name, reasons }) => {
      const other = reasons.map((reason) => (reason.kind === 'dependency' ? reason.because : reason)).find(({ kind }) => !isOfFiles(kind));
      const through = causes.find((cause) => isNeeded(places.get(name) ?? -1, places.get(cause.name) ?? -1));
      if (other === undefined && through === undefined) return [];
      return [[name, other === undefined ? `it depends on ${through?.name}, which not only its files select` : describeReason(other)]];
    }),
  );
}

function isOfFiles(kind: DirectReason['kind']): boolean {
  return kind === 'file' || kind === 'read' || kind === 'shared';
}
