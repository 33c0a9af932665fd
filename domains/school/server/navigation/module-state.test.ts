import type { ModulePeriod } from '@campus/school/contract'
import { expect, test } from 'vitest'
import { moduleOn } from './module-state.ts'

const day = '2026-11-20'
const period = (valid_from: string, valid_to: string | null, enabled = true): ModulePeriod => ({ valid_from, valid_to, enabled })

test.each<[string, ModulePeriod[], string, number | null]>([
  ['nothing said', [], 'open', null],
  ['open without end', [period('2026-01-01', null)], 'open', null],
  ['begins today', [period('2026-11-20', null)], 'open', null],
  ['over since today', [period('2026-01-01', '2026-11-20')], 'ended', null],
  ['last day today', [period('2026-01-01', '2026-11-21')], 'open', 1],
  ['ends in 30 days', [period('2026-01-01', '2026-12-20')], 'open', 30],
  ['ends in 31 days', [period('2026-01-01', '2026-12-21')], 'open', null],
  ['goes on in another period', [period('2026-01-01', '2026-11-25'), period('2026-11-25', '2027-11-25')], 'open', null],
  ['is switched off afterwards', [period('2026-01-01', '2026-11-25'), period('2026-11-25', null, false)], 'open', 5],
  ['switched off', [period('2026-01-01', '2026-11-01'), period('2026-11-01', null, false)], 'off', null],
  ['not begun', [period('2026-12-01', null)], 'future', null],
  ['between two', [period('2026-01-01', '2026-02-01'), period('2026-12-01', null)], 'ended', null],
])('a module: %s', (_what, periods, state, days_left) => {
  expect(moduleOn(periods, day)).toEqual({ state, days_left })
})
