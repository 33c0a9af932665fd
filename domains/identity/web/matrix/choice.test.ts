import type { MatrixModule, MatrixOp } from '@campus/identity/contract'
import { expect, test } from 'vitest'
import { cellLock, changeOf, choiceOf, impliedBy, laidOver, tickOf, turned, turnedAll } from './choice.ts'

const op = (code: string, facts: Partial<MatrixOp> = {}): MatrixOp => {
  const [noun = '', verb = ''] = code.split('.')
  return { code, noun, noun_name: noun, verb, verb_name: verb, column: verb, granted: false, grantable: true, locked: null, pages: [], ...facts }
}
const modules: MatrixModule[] = [
  { code: 'm', name: 'm', ops: [op('dept.view', { granted: true }), op('dept.edit'), op('dept.delete', { grantable: false, locked: '没有' })] },
  { code: 'n', name: 'n', ops: [op('staff.view', { grantable: false, locked: '没有' }), op('staff.edit'), op('mail.run')] },
]
const locked_below: MatrixModule[] = [{ code: 'm', name: 'm', ops: [op('dept.view', { granted: true }), op('dept.edit', { granted: true, grantable: false, locked: '没有' })] }]
const list = (choice: ReadonlySet<string>) => [...choice].toSorted()

test.each<[string, string[], string[], boolean, string[]]>([
  ['a verb brings its view', [], ['dept.edit'], true, ['dept.edit', 'dept.view']],
  ['losing the view loses the rest', ['dept.view', 'dept.edit'], ['dept.view'], false, []],
  ['losing a verb keeps the view', ['dept.view', 'dept.edit'], ['dept.edit'], false, ['dept.view']],
  ['a locked cell stays', [], ['dept.delete'], true, []],
  ['what needs a locked view stays', [], ['staff.edit'], true, []],
  ['a noun without a view is alone', [], ['mail.run'], true, ['mail.run']],
])('%s', (_name, before, codes, on, after) => {
  expect(list(turned(modules, new Set(before), codes, on))).toEqual(after)
})

test('a view stays while a locked cell of its row is given', () => {
  const choice = choiceOf(locked_below)
  expect(list(turned(locked_below, choice, ['dept.view'], false))).toEqual(['dept.edit', 'dept.view'])
  expect(locked_below[0]?.ops.map(cell => cellLock(locked_below, choice, cell))).toEqual(['同一行还有您不能修改的权限，查看权限需保留', '没有'])
  const ops = modules.flatMap(module => module.ops)
  expect(ops.map(cell => cellLock(modules, choiceOf(modules), cell))).toEqual([null, null, '没有', '没有', '需先有查看权限，而您不能授予它', null])
})

test('a row is given as far as it may, then taken again; a parent tells how much', () => {
  const ops = modules[0]?.ops ?? []
  const given = turnedAll(modules, choiceOf(modules), ops)
  expect(list(given)).toEqual(['dept.edit', 'dept.view'])
  expect([tickOf(ops, given), tickOf(ops.slice(0, 2), given), tickOf(ops, new Set())]).toEqual(['some', 'all', 'none'])
  expect(list(turnedAll(modules, given, ops))).toEqual([])
})

test('the change is what differs, and it is laid over a newer state', () => {
  const change = changeOf(modules, new Set(['dept.edit', 'dept.view', 'mail.run']))
  expect(change).toEqual({ grant: ['dept.edit', 'mail.run'], revoke: [] })
  const newer = modules.map(module => ({ ...module, ops: module.ops.map(cell => ({ ...cell, granted: cell.code === 'mail.run' })) }))
  expect(list(laidOver(newer, change))).toEqual(['dept.edit', 'dept.view', 'mail.run'])
  expect([...impliedBy(newer, changeOf(newer, laidOver(newer, change)))]).toEqual(['dept.view'])
})
