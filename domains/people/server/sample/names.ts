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
type Generation = 'student' | 'parent' | 'grandparent'
/** Draws invented names; `full` takes a surname of its own unless one is given. */
export type NameMaker = {
  given(generation: Generation, sex: Sex): string
  full(generation: Generation, sex: Sex, surname?: string): string
  /** 欧阳志远 → 欧阳 */
  surnameOf(user_name: string): string
}

/** Signs that old input tools do not know; a name of every few hundred carries one. */
const rare_signs = ['㐀', '𠀀', '旸', '翀', '喆', '甡', '珺', '晞'] as const
const rare_share = 0.004
/** Surnames that are read in another way than the sign, as nameIndex must know. */
const misread_surnames = ['单', '仇', '解', '区', '查', '盖', '尉迟', '缪', '覃', '朴'] as const
const misread_share = 0.006
/** The same sign twice (欣欣) is for girls, and rare. */
const double_share = 0.03

let loaded: z.output<typeof Names> | undefined

/** Names by the weights of the shipped table (data/names.json). */
export function nameMaker(draw: Draw): NameMaker {
  loaded ??= Names.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../data/names.json'), 'utf8')))
  const { cohorts, ...table } = loaded
  const surnames = [...table.surnames, ...table.compound_surnames].map(({ surname, population_10k }) => [surname, population_10k] as const)
  const surname = () => (draw.chance(misread_share) ? draw.pick(misread_surnames) : draw.weighted(surnames))
  const given = (generation: Generation, sex: Sex) => {
    const signs = cohorts.find(one => one.cohort === generation && one.sex === sex)
    if (!signs) throw new Error(`no names of generation ${generation}`)
    if (generation === 'student' && draw.chance(rare_share)) return draw.pick(rare_signs)
    if (draw.chance(signs.single_ratio)) return draw.weighted(signs.single)
    const first = draw.weighted(signs.first)
    const may_double = sex === '2' && draw.chance(double_share)
    return first + draw.weighted(may_double ? signs.second : signs.second.filter(([sign]) => sign !== first))
  }
  const compound = surnames.map(([known]) => known).concat(misread_surnames).filter(known => known.length > 1)
  return {
    given,
    full: (generation, sex, own = surname()) => own + given(generation, sex),
    surnameOf: user_name => compound.find(known => user_name.startsWith(known)) ?? user_name.slice(0, 1),
  }
}
