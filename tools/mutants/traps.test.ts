import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeAway } from './mutant.ts'
import { traps } from './traps.ts'

const root = join(import.meta.dirname, '../..')
const mutants = traps.flatMap(({ mutants: of }) => of)

test('31-A4 each trap has a rule that can be taken away: its words stand exactly once where they are said to stand', () => {
  expect(traps).toHaveLength(23)
  expect(traps.filter(one => one.mutants.length === 0)).toEqual([])
  for (const mutant of mutants) expect(takeAway(mutant, root)).not.toBe(readFileSync(join(root, mutant.file), 'utf8'))
})

test('31-A4 the test that has to see it is there', () => {
  for (const { of, test: title } of mutants) expect(readFileSync(join(root, of), 'utf8').split(`test('${title}'`), title).toHaveLength(2)
})

test('words that are not there, or twice, are no rule', () => {
  const [mutant] = mutants
  if (!mutant) throw new Error('no mutant')
  expect(() => takeAway({ ...mutant, rule: 'nothing of the kind' }, root)).toThrow('has 0 times')
  expect(() => takeAway({ ...mutant, rule: 'return' }, root)).toThrow(/has \d+ times/u)
})
