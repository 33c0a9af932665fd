import { foldFullWidth } from '@kit/contract/checks'
import type { FormRule } from 'antd'

/**
 * Parser of a number field: digits of a Chinese keyboard (１２) are digits, blanks and units around a pasted number go. A field has no `min`
 * and `max` of its own: they would put another number into the field without a word. Its rule says the bounds.
 */
export function readNumber(text: string | undefined): string {
  return foldFullWidth(text ?? '').replace(/[^\w.-]+/g, '')
}

/** A whole number from `min` to `max`, both included. An empty field is left to its other rules. */
export function wholeRule(min: number, max: number): FormRule {
  return { type: 'integer', min, max, message: `请输入${min}-${max}之间的整数` }
}

/** A number from `min` to `max`, both included, e.g. yuan with their cents. An empty field is left to its other rules. */
export function amountRule(min: number, max: number): FormRule {
  return { type: 'number', min, max, message: `请输入${min}-${max}之间的数字` }
}
