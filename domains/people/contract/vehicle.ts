import { checkValue, normalise } from '@kit/contract'
import { z } from 'zod'

/** Plates of one person at a time. */
export const most_plates = 5
const rule = { kind: 'plate' } as const

/** What is wrong with the plates of one person; null when nothing is. Forms and calls share it. */
export function platesFault(plates: readonly string[]): string | null {
  if (plates.length > most_plates) return `最多登记${most_plates}个车牌`
  const wrong = plates.map(plate => checkValue(rule, normalise(rule, plate))).find(msg => msg !== null)
  if (wrong !== undefined) return wrong
  return new Set(plates.map(plate => normalise(rule, plate))).size < plates.length ? '车牌号重复' : null
}

/** The plates of one person, as they are stored. */
export const Plates = z.array(z.string().max(20)).superRefine((plates, ctx) => {
  const wrong = platesFault(plates)
  if (wrong !== null) ctx.addIssue({ code: 'custom', message: wrong })
}).transform(plates => plates.map(plate => normalise(rule, plate)))
