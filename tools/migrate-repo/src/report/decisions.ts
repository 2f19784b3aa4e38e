import type { StepId } from '../align/messages.js';
import { type GroupedMessage, groupMessages } from '../message.js';
import { type Question, type Risk, TOPICS, type TopicId } from '../topics.js';
import { decisionId } from './decision-id.js';
import type { Reason, ReportPart } from './part.js';

/** A question with all reasons for it. */
export interface Decision extends Question {
  readonly id: string;
  /** Empty where the text itself names whom it concerns. */
  readonly findings: readonly GroupedMessage[];
}

/**
 * By step, in the order in which they were found: each topic once, in the first step that has a reason for it. `planned`: what was known before an installation. What may break
 * and only the installation has shown is a decision of its own: the other one has the id that it has in a dry run.
 */
export function decisionsOf(parts: readonly ReportPart[], planned = parts): ReadonlyMap<StepId, readonly Decision[]> {
  const asked = parts.flatMap(({ step, decisions }) => decisions.map((one) => ({ step, one })));
  const reasons = asked.flatMap(({ one }) => (isReasonFor(one) ? [one] : []));
  const foreseen = planned.flatMap(({ decisions }) => decisions.filter(isReasonFor));
  const decisions = new Map<StepId, Decision[]>();
  const done = new Set<TopicId>();
  for (const { step, one } of asked) {
    if (isReasonFor(one) && done.has(one.topic)) continue;
    if (isReasonFor(one)) done.add(one.topic);
    const found = isReasonFor(one) ? ofTopic(one.topic, reasons, foreseen) : [ofQuestion(step, one)];
    decisions.set(step, [...(decisions.get(step) ?? []), ...found]);
  }
  return decisions;
}

function isReasonFor(one: Reason | Question | string): one is Reason {
  return typeof one !== 'string' && 'topic' in one;
}

function ofTopic(topic: TopicId, all: readonly Reason[], foreseen: readonly Reason[]): readonly Decision[] {
  const question = TOPICS[topic];
  const found = all.filter((one) => one.topic === topic);
  // A choice is made once. Whoever has looked at what may break has looked at these places only.
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

/** `places`: what the answer is for, which the id is made of. */
function ofPlaces(topic: TopicId, question: Question, reasons: readonly Reason[], places: ReadonlySet<string>): readonly Decision[] {
  if (reasons.length === 0) return [];
  return [{ ...question, id: decisionId('topic', [topic, ...[...places].sort()].join('\n')), findings: groupMessages(reasons) }];
}

/** Without the detail, which may say more behind an installation than before it. */
function placeKey({ text, package: name, place }: Reason): string {
  return JSON.stringify([text, name, place]);
}

function ofQuestion(step: StepId, asked: Question | string): Decision {
  const question: Question = typeof asked === 'string' ? { text: asked, byDefault: null, toChange: null, risk: RISK_OF_STEP[step] } : asked;
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
