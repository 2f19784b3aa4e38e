import type { CarryOverRule } from '../rule.js';

export const others: CarryOverRule = {
  title: 'Everything else',
  matches: ['*'],
  action: 'keep',
  reason: 'it is part of the package',
};
