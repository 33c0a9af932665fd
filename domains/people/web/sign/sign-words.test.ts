import { expect, test } from 'vitest'
import { arcsOf, mayTerminate, percentOf, sumOf } from './sign-words.ts'

test('a ring of parts, empty ones left out', () => {
  expect(arcsOf({ signed: 75, terminating: 0, unsigned: 25 })).toEqual([{ part: 'signed', length: 75, from: 0 }, { part: 'unsigned', length: 25, from: 75 }])
  expect(arcsOf({ signed: 0, terminating: 0, unsigned: 0 })).toEqual([])
  expect([percentOf({ signed: 199, terminating: 0, unsigned: 1 }), percentOf({ signed: 0, terminating: 0, unsigned: 0 })]).toEqual([99, 0])
  const group = { dept_id: null, name: '', signed: 1, terminating: 2, unsigned: 3 }
  expect(sumOf([group, group])).toEqual({ signed: 2, terminating: 4, unsigned: 6 })
})

test('what may be terminated', () => {
  expect((['unsigned', 'signing', 'signed', 'terminating', 'check', 'terminated', 'failed'] as const).filter(state => mayTerminate({ state, sign_id: '1' }))).toEqual(['signed', 'check'])
  expect(mayTerminate({ state: 'signed', sign_id: null })).toBe(false)
})
