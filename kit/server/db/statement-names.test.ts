import { expect, test } from 'vitest'
import { createNames } from './statement-names.ts'

const asked = (nameOf: (text: string) => string | undefined, text: string, times: number) => Array.from({ length: times }, () => nameOf(text)).at(-1)

test('a text gets a name when it has come often, each its own, and none that takes all columns', () => {
  const nameOf = createNames()
  expect(asked(nameOf, 'select a from t', 7)).toBeUndefined()
  expect(nameOf('select a from t')).toBe('often_1')
  expect(asked(nameOf, 'select b from t', 8)).toBe('often_2')
  expect(nameOf('select a from t')).toBe('often_1')
  expect(asked(nameOf, 'select * from t', 20)).toBeUndefined()
})

test('sessions keep no more than so many', () => {
  const nameOf = createNames()
  const named = Array.from({ length: 500 }, (_, n) => asked(nameOf, `select ${n}`, 8)).filter(name => name !== undefined)
  expect(new Set(named).size).toBe(120)
})
