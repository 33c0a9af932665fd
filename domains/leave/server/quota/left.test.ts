import { expect, test } from 'vitest'
import { quotaLeft } from './left.ts'
import type { QuotaEntry } from './left.ts'

const day = 480
const grant = (days: number, expire_on: string | null = null): QuotaEntry => ({
  minutes: days * day,
  kind: 1,
  leave_id: null,
  expire_on,
  day: '2026-01-01',
})
const take = (days: number, leave_id: string, on = '2026-03-02'): QuotaEntry => ({
  minutes: -days * day,
  kind: 2,
  leave_id,
  expire_on: null,
  day: on,
})
const back = (days: number, leave_id: string, on = '2026-03-20'): QuotaEntry => ({
  minutes: days * day,
  kind: 3,
  leave_id,
  expire_on: null,
  day: on,
})
const correct = (days: number): QuotaEntry => ({ minutes: days * day, kind: 5, leave_id: null, expire_on: null, day: '2026-03-01' })

test.each<[string, QuotaEntry[], string, number]>([
  ['nothing granted', [], '2026-05-01', 0],
  ['the sum of the entries', [grant(5), take(2, 'a'), correct(1)], '2026-05-01', 4],
  ['given back once', [grant(5), take(3, 'a'), back(1, 'a')], '2026-05-01', 3],
  ['what ends first is taken first', [grant(5), grant(3, '2026-03-31'), take(2, 'a')], '2026-05-01', 5],
  ['what has ended counts no more', [grant(3, '2026-03-31'), take(1, 'a')], '2026-04-01', 0],
  ['on its last day it still counts', [grant(3, '2026-03-31'), take(1, 'a')], '2026-03-31', 2],
  [
    'what is given back to an ended grant has ended too',
    [grant(3, '2026-03-31'), take(3, 'a'), back(3, 'a', '2026-04-02')],
    '2026-04-02',
    0,
  ],
  ['a correction may go below nothing', [grant(1), correct(-2)], '2026-05-01', -1],
])('left of a quota: %s', (_, entries, today, days) => {
  expect(quotaLeft(entries, today) / day).toBe(days)
})
