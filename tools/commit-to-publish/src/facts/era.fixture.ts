import type { Micros } from '../model/event.js';
import { type ReportQuestion, startOfWeek, weekOf } from '../report/question.js';

const END = startOfWeek(weekOf((Date.UTC(2021, 0, 1) * 1000) as Micros));

/** A question about nearly all of an era of `babylonEvents`. */
export const ERA: ReportQuestion = {
  lead: { ready: 'merged', until: 'published', channels: new Set(['tag']) },
  by: 'package',
  weeks: 210,
  since: startOfWeek(weekOf(END) - 1),
  until: END,
  actor: 'all',
};
