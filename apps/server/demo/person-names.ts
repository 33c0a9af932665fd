import source from './data/names.json' with { type: 'json' }
import type { Dice } from './random.ts'

export type Sex = '1' | '2'
export type Generation = 'student' | 'parent'

const double_signs_share = 0.03
const surnames = pairs(source.surnames)

/** The name of an invented person: surname by its share of the people, given name by sex and generation. */
export function personName(dice: Dice, generation: Generation, sex: Sex, surname: string = dice.weighted(surnames)): string {
  const signs = source.cohorts.find(cohort => cohort.cohort === generation && cohort.sex === sex)
  if (!signs) throw new Error(`no given names for ${generation} ${sex}`)
  if (dice.chance(signs.single_ratio)) return surname + dice.weighted(pairs(signs.single))
  const first = dice.weighted(pairs(signs.first))
  return surname + first + secondSign(dice, first, pairs(signs.second), sex)
}

/** A name nobody in `taken` has; the name is added to it. */
export function freshName(dice: Dice, generation: Generation, sex: Sex, taken: Set<string>): string {
  let name = personName(dice, generation, sex)
  while (taken.has(name)) name = personName(dice, generation, sex)
  taken.add(name)
  return name
}

/** The same sign twice (欣欣) is for girls, and rare. */
function secondSign(dice: Dice, first: string, list: readonly (readonly [string, number])[], sex: Sex): string {
  const may_double = sex === '2' && dice.chance(double_signs_share)
  return dice.weighted(may_double ? list : list.filter(([sign]) => sign !== first))
}

/** Weighted signs as the dice want them; the file's rows are `[sign, weight]`. */
function pairs(rows: readonly (readonly (string | number)[])[]): (readonly [string, number])[] {
  return rows.map(([sign, weight]) => [String(sign), Number(weight)] as const)
}
