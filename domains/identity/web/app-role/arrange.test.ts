import type { AppModuleCode } from '@campus/identity/contract'
import { expect, test } from 'vitest'
import { isSame, placedAt, turned, without } from './arrange.ts'
import type { Arrangement } from './arrange.ts'

const of = (...codes: AppModuleCode[]): Arrangement => codes.map(module_code => ({ module_code, visible: true }))
const codes = (all: Arrangement) => all.map(({ module_code, visible }) => (visible ? module_code : `-${module_code}`)).join(' ')
const three = of('leave', 'hall', 'fee')

test.each<[string, Arrangement, string]>([
  ['one comes in at a place', placedAt(three, 'repair', 1), 'leave repair hall fee'],
  ['one comes in at the end', placedAt(three, 'repair', 99), 'leave hall fee repair'],
  ['one moves up', placedAt(three, 'fee', 0), 'fee leave hall'],
  ['one moves down', placedAt(three, 'leave', 1), 'hall leave fee'],
  ['above the first is first', placedAt(three, 'leave', -1), 'leave hall fee'],
  ['one goes out', without(three, 'hall'), 'leave fee'],
  ['one is hidden and keeps its place when it moves', placedAt(turned(three, 'hall'), 'hall', 0), '-hall leave fee'],
  ['and is shown again', turned(turned(three, 'hall'), 'hall'), 'leave hall fee'],
])('%s', (_name, all, shown) => {
  expect(codes(all)).toBe(shown)
})

test('order and visibility both make a difference', () => {
  expect([isSame(three, of('leave', 'hall', 'fee')), isSame(three, of('hall', 'leave', 'fee')), isSame(three, turned(three, 'fee')), isSame(three, of('leave', 'hall'))]).toEqual([true, false, false, false])
})
