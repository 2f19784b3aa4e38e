import type { StepId } from '../align/messages.js';
import { type GroupedMessage, groupMessages, type MessageSubject } from '../message.js';
import { type Question, type Risk, TOPICS, type TopicId } from '../topics.js';
import { decisionId } from './decision-id.js';
import type { Reason, ReportPart } from './part.js';

/** A question with all reasons for it. */
export interface Decision extends Question {
  readonly id: string;
  /** Empty where the text itself names whom it concerns. */
  readonly findings: readonly GroupedMessage[];
}

/** By step, in the order in which they were found: each topic once, in the first step that has a reason for it. */
export function decisionsOf(parts: readonly ReportPart[]): ReadonlyMap<StepId, readonly Decision[]> {
  const asked = parts.flatMap(({ step, decisions }) => decisions.map((one) => ({ step, one })));
  const reasons = asked.flatMap(({ one }) => (isReasonFor(one) ? [one] : []));
  const decisions = new Map<StepId, Decision[]>();
  const done = new Set<TopicId>();
  for (const { step, one } of asked) {
    if (isReasonFor(one) && done.has(one.topic)) continue;
    if (isReasonFor(one)) done.add(one.topic);
    const decision = isReasonFor(one) ? ofTopic(one.topic, reasons) : ofQuestion(step, one);
    decisions.set(step, [...(decisions.get(step) ?? []), decision]);
  }
  return decisions;
}

function isReasonFor(one: Reason | Question | string): one is Reason {
  return typeof one !== 'string' && 'topic' in one;
}

function ofTopic(topic: TopicId, all: readonly Reason[]): Decision {
  const findings = groupMessages(all.filter((one) => one.topic === topic));
  const question = TOPICS[topic];
  // A choice is made once. Whoever has looked at what may break has looked at these places only.
  const places = question.risk === 'none' ? [] : findings.flatMap(({ text, about }) => about.map((one) => placeKey(text, one)));
  return { ...question, id: decisionId('topic', [topic, ...[...new Set(places)].sort()].join('\n')), findings };
}

/** Without the detail, which may say more behind an installation than before it. */
function placeKey(text: string, { package: name, place }: MessageSubject): string {
  return JSON.stringify([text, name, place]);
}

function ofQuestion(step: StepId, asked: Question | string): Decision {
  const question = typeof asked === 'string' ? { text: asked, byDefault: null, toChange: null, risk: RISK_OF_STEP[step] } : asked;
  return { ...question, id: decisionId(step, question.text), findings: [] };
}

const RISK_OF_STEP: { readonly [Step in StepId]: Risk } = {
  internal: 'requests',
  phantoms: 'requests',
  versions: 'versions',
  settings: 'behaviour',
  'carry-over': 'behaviour',
  lockfile: 'versions',
};
