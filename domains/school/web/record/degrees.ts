import { foldFullWidth } from '@kit/contract/checks'
import type { FormRule } from 'antd'

/** Most degrees of a place, to either side of zero. */
export const most_degrees = { home_lng: 180, home_lat: 90 } as const
const form = /^[-+]?\d{1,3}(?:\.\d*)?°?$/

/** Degrees as they are typed, to the sixth digit; null where nothing stands, undefined for what is no such number: it stays in its field. */
export function degreesOf(typed: unknown, most: number): number | null | undefined {
  const text = foldFullWidth(String(typed ?? '')).trim()
  if (text === '') return null
  const degrees = form.test(text) ? Number(text.replace('°', '')) : Number.NaN
  return Math.abs(degrees) <= most ? sixDigits(degrees) : undefined
}

/** The sixth digit of a degree is ten centimetres. */
export function sixDigits(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

/** The rule of a text field for degrees. */
export function degreesRule(most: number): FormRule {
  const msg = `请输入-${most}到${most}之间的数字`
  return { validator: (_: unknown, typed: unknown) => (degreesOf(typed, most) === undefined ? Promise.reject(new Error(msg)) : Promise.resolve()) }
}
