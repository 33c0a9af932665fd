import { expect, test } from 'vitest'
import { termOf } from './term.ts'
import type { Term } from './term.ts'

const today = '2026-11-20'
const term = (facts: Partial<Term>): Term => ({ valid_from: '2026-11-10', valid_to: null, state: 'current', is_ending: false, ...facts })

test.each<[string, Term, ReturnType<typeof termOf>]>([
  ['open', term({}), { kind: 'current', text: '2026-11-10 起长期', word: '当前', part: 1 }],
  ['half over', term({ valid_to: '2026-11-30' }), { kind: 'current', text: '2026-11-10 ~ 2026-11-30', word: '当前', part: 0.5 }],
  ['ending', term({ valid_to: '2026-11-22', is_ending: true }), { kind: 'ending', text: '2026-11-10 ~ 2026-11-22', word: '2天后结束', part: 10 / 12 }],
  ['its last day', term({ valid_to: today, is_ending: true }), { kind: 'ending', text: '2026-11-10 ~ 2026-11-20', word: '今天结束', part: 1 }],
  ['a single day', term({ valid_from: today, valid_to: today, is_ending: true }), { kind: 'ending', text: '2026-11-20 ~ 2026-11-20', word: '今天结束', part: 0 }],
  ['later', term({ valid_from: '2026-12-01', state: 'future' }), { kind: 'future', text: '2026-12-01 起长期', word: '11天后开始', part: 0 }],
  ['over', term({ valid_to: '2026-11-15', state: 'ended' }), { kind: 'ended', text: '2026-11-10 ~ 2026-11-15', word: '已结束', part: 1 }],
])('%s', (_name, member, view) => {
  expect(termOf(member, today)).toEqual(view)
})
