import type { Scope } from '@kit/server/http'
import { expect, test } from 'vitest'
import { scopeRoots } from './scope.ts'

const facts: Scope['facts'] = [{ kind: 'class_teacher', id: '11' }, { kind: 'teaching', id: '12' }, { kind: 'manager', id: '90' }]
const delegated: Scope['facts'] = [...facts, { kind: 'delegated', id: '20' }]
const nothing = { all: false, exact: [], below: [], own: 'none' }

test.each<[Scope['kind'], string, Scope['facts'], object]>([
  ['all', '1', facts, { ...nothing, all: true }],
  ['own', '1', facts, { ...nothing, own: 'exact' }],
  ['own', '5', facts, { ...nothing, exact: ['5'] }],
  ['own_below', '1', facts, { ...nothing, own: 'below' }],
  ['own_below', '5', facts, { ...nothing, below: ['5'] }],
  ['class_teacher', '1', facts, { ...nothing, below: ['11'] }],
  ['teaching', '1', facts, { ...nothing, below: ['12'] }],
  ['custom', '1', facts, { ...nothing, below: ['30', '31'] }],
  ['self', '1', facts, nothing],
  ['none', '1', facts, nothing],
  ['none', '1', delegated, { ...nothing, below: ['20'] }],
  ['class_teacher', '1', delegated, { ...nothing, below: ['20', '11'] }],
])('scope %s held under department %s begins where it says', (kind, user_dep, known, roots) => {
  const ids = kind === 'custom' ? ['30', '31'] : []
  expect(scopeRoots({ kind, ids, facts: known }, user_dep)).toEqual(roots)
})
