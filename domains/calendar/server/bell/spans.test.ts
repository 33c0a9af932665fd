import { expect, test } from 'vitest'
import { without } from './spans.ts'

const span = (valid_from: string, valid_to: string | null) => ({ valid_from, valid_to })

test.each([
  ['an open span ends where the switch begins', [span('2025-09-01', null)], '2025-10-01', null, [span('2025-09-01', '2025-10-01')]],
  ['it comes back after a switch with an end', [span('2025-09-01', null)], '2025-10-01', '2026-05-01', [span('2025-09-01', '2025-10-01'), span('2026-05-01', null)]],
  ['one inside the switch goes', [span('2025-11-01', '2025-12-01')], '2025-10-01', null, []],
  ['one before it stays', [span('2025-08-01', '2025-09-01')], '2025-10-01', null, [span('2025-08-01', '2025-09-01')]],
])('%s', (_what, spans, from, to, left) => {
  expect(without(spans, from, to)).toEqual(left)
})
