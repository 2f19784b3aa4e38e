import { createHash } from 'node:crypto';
import { groupMessages } from '../message.js';
import type { GroupedMessage, Risk, StepId } from '../result/result.js';
import { type DecisionText, TOPICS, type TopicId } from '../topics.js';
import type { Reason, ReportPart } from './part.js';

/** A question with all its reasons. */
export interface AskedDecision extends DecisionText {
  readonly id: string;
  /** Empty if the text itself names the packages. */
  readonly findings: readonly GroupedMessage[];
}

/**
 * Returns the decisions by step, in order of discovery. A topic appears once, in the first step that has a reason for
 * it. `planned`: what was known before an installation. Breakage that only the installation has shown is a separate
 * decision, so that the first one keeps its id of a dry run.
 */
export function decisionsOf(parts: readonly ReportPart[], planned = parts): ReadonlyMap<StepId, readonly AskedDecision[]> {
  const asked = parts.flatMap(({ step, decisions }) => decisions.map((one) => ({ step, one })));
  const reasons = asked.flatMap(({ one }) => (isReasonFor(one) ? [one] : []));
  const foreseen = planned.flatMap(({ decisions }) => decisions.filter(isReasonFor));
  const decisions = new Map<StepId, AskedDecision[]>();
  const done = new Set<TopicId>();
  for (const { step, one } of asked) {
    if (isReasonFor(one) && done.has(one.topic)) continue;
    if (isReasonFor(one)) done.add(one.topic);
    const found = isReasonFor(one) ? ofTopic(one.topic, reasons, foreseen) : [ofQuestion(step, one)];
    decisions.set(step, [...(decisions.get(step) ?? []), ...found]);
  }
  return decisions;
}

function isReasonFor(one: Reason | DecisionText | string): one is Reason {
  return typeof one !== 'string' && 'topic' in one;
}

function ofTopic(topic: TopicId, all: readonly Reason[], foreseen: readonly Reason[]): readonly AskedDecision[] {
  const question = TOPICS[topic];
  const found = all.filter((one) => one.topic === topic);
  // A choice is made once. An answer about breakage applies only to the places that were checked.
  if (question.risk === 'none') return [{ ...question, id: decisionId('topic', topic), findings: groupMessages(found) }];
  const known = new Set(foreseen.filter((one) => one.topic === topic).map(placeKey));
  const shown = found.filter((one) => !known.has(placeKey(one)));
  const askedBefore = found.filter((one) => known.has(placeKey(one)));
  return [
    ...ofPlaces(topic, question, askedBefore, known),
    ...ofPlaces(
      topic,
      { ...question, text: known.size === 0 ? question.text : `The installation shows more: ${question.text}` },
      shown,
      new Set(shown.map(placeKey)),
    ),
  ];
}

/** Returns the decision about some places. Its id is made from `places`, which the answer applies to. */
function ofPlaces(
  topic: TopicId,
  question: DecisionText,
  reasons: readonly Reason[],
  places: ReadonlySet<string>,
): readonly AskedDecision[] {
  if (reasons.length === 0) return [];
  return [{ ...question, id: decisionId('topic', [topic, ...[...places].sort()].join('\n')), findings: groupMessages(reasons) }];
}

/** Returns a reason's key, without the detail, which may say more after an installation. */
function placeKey({ text, package: name, place }: Reason): string {
  return JSON.stringify([text, name, place]);
}

function ofQuestion(step: StepId, asked: DecisionText | string): AskedDecision {
  const question: DecisionText =
    typeof asked === 'string' ? { text: asked, byDefault: null, toChange: null, risk: RISK_OF_STEP[step] } : asked;
  return { ...question, id: decisionId(step, question.about ?? question.text), findings: [] };
}

const RISK_OF_STEP: { readonly [Step in StepId]: Risk } = {
  internal: 'requests',
  phantoms: 'requests',
  versions: 'versions',
  settings: 'behaviour',
  'carry-over': 'behaviour',
  lockfile: 'versions',
};

/**
 * Returns the id of a decision in tributary.json: eight digits derived from its kind and its subject. An answer applies
 * only to that subject; another subject gets another id, and is asked again.
 */
export function decisionId(kind: string, about: string): string {
  return createHash('sha256').update(`${kind}\n${about}`).digest('hex').slice(0, 8);
}
