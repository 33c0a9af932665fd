import { expect, test } from 'vitest'
import { firstPassword } from './first-password.ts'

const facts = { mobile: '16910000001', id_no: '37020019800101001X' }

test.each([
  ['random', 'Qm@', facts, null],
  ['phone_tail', 'Qm@', facts, 'Qm@000001'],
  ['id_tail', 'Qm@', facts, 'Qm@01001X'],
  ['phone_tail', 'Qm@', { ...facts, mobile: null }, null],
  ['id_tail', 'Qm@', { ...facts, id_no: null }, null],
  ['id_tail', 'Qm@', { ...facts, id_no: 'A1' }, null],
  ['phone_tail', null, facts, null],
] as const)('%s with the prefix %s', (default_rule, default_prefix, known, password) => {
  expect(firstPassword({ default_rule, default_prefix }, known)).toBe(password)
})
