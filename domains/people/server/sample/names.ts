import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Draw } from './draw.ts'

const Weighted = z.array(z.tuple([z.string(), z.number()]))
const Surname = z.object({ surname: z.string(), population_10k: z.number() })
const Names = z.object({
  surnames: z.array(Surname),
  compound_surnames: z.array(Surname),
  cohorts: z.array(z.object({ cohort: z.string(), sex: z.enum(['1', '2']), single_ratio: z.number(), first: Weighted, second: Weighted, single: Weighted })),
})

export type Sex = '1' | '2'
type Cohort = 'student' | 'parent' | 'grandparent'
/** Draws invented names. */
export type NameMaker = { surname(): string; given(cohort: Cohort, sex: Sex): string }

/** Signs that old input tools do not know; a name of every few hundred carries one. */
const rare_signs = ['㐀', '𠀀', '旸', '翀', '喆', '甡', '珺', '晞'] as const
const rare_ratio = 0.004

/** Names by the weights of the shipped table (domain people, data/names.json). */
export function nameMaker(draw: Draw): NameMaker {
  const table = Names.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../data/names.json'), 'utf8')))
  const surnames = [...table.surnames, ...table.compound_surnames].map(({ surname, population_10k }) => [surname, population_10k] as const)
  return {
    surname: () => draw.weighted(surnames),
    given(cohort, sex) {
      const found = table.cohorts.find(one => one.cohort === cohort && one.sex === sex)
      if (!found) throw new Error(`no names of cohort ${cohort}`)
      if (cohort === 'student' && draw.next() < rare_ratio) return draw.pick(rare_signs)
      if (draw.next() < found.single_ratio) return draw.weighted(found.single)
      const first = draw.weighted(found.first)
      const second = draw.weighted(found.second.filter(([sign]) => sign !== first))
      return first + second
    },
  }
}
