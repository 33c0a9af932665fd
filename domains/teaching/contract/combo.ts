import { first_choices, second_choices } from './dictionary.ts'

/** Three subjects of 3+1+2 as their codes: one of two first ones, two of four further ones in ascending order (chapter 50 rule 39). */
export type Combo = { first: string; second: readonly [string, string] }

/** Reads `16,17,18`; null when it is none of the twelve. */
export function parseCombo(text: string): Combo | null {
  const [first = '', ...rest] = text.split(',')
  const [one, other] = rest.toSorted()
  if (!(first in first_choices) || rest.length !== 2 || one === undefined || other === undefined || one === other) return null
  return one in second_choices && other in second_choices ? { first, second: [one, other] } : null
}

/** `16,17,18`. */
export function comboCode({ first, second }: Combo): string {
  return [first, ...second.toSorted()].join(',')
}

/** 物理+化学+生物学. */
export function comboName(code: string): string {
  return code.split(',').map(subject => first_choices[subject] ?? second_choices[subject] ?? subject).join('+')
}

/** The twelve combinations, those with physics first. */
export function allCombos(): string[] {
  const others = Object.keys(second_choices)
  return Object.keys(first_choices)
    .flatMap(first => others.flatMap((one, at) => others.slice(at + 1).map(other => comboCode({ first, second: [one, other] }))))
}
