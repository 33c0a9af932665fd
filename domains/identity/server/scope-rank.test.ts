import { scope_kinds } from '@campus/identity/contract'
import { expect, test } from 'vitest'
import { grantableKinds, isWithin } from './scope-rank.ts'

test('nobody gives a scope that reaches further than his own', () => {
  expect(grantableKinds('all', 'dept').toSorted()).toEqual([...scope_kinds].toSorted())
  expect(grantableKinds('own_below', 'dept')).not.toContain('all')
  expect(grantableKinds('own', 'dept')).not.toContain('own_below')
  expect(grantableKinds('class_teacher', 'dept')).not.toContain('teaching')
  expect(grantableKinds('self', 'dept')).toEqual(['self', 'none'])
  expect(grantableKinds('none', 'dept')).toEqual(['none'])
  for (const kind of scope_kinds) expect(grantableKinds(kind, 'dept')).toContain(kind)
})

test('places have no classes and no persons', () => {
  expect(grantableKinds('all', 'place').toSorted()).toEqual(['all', 'custom', 'none', 'own'])
})

test('whoever has everything may give a role whose scope of places is of a kind that only departments have', () => {
  expect(isWithin('all', 'own_below')).toBe(true)
  expect(isWithin('own', 'own_below')).toBe(false)
})
