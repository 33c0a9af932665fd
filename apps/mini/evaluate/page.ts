import type { CallOf } from '../shell/session.ts'
import type { evaluate } from './app.ts'

/** Calls of the manifest; another one does not compile. */
type EvaluateCall = CallOf<(typeof evaluate)['calls']>

/** What every page has: how to call, and a word to the user. */
export type EvaluatePage = { call: EvaluateCall; say: (msg: string) => void }

const state_names: Readonly<Record<number, string>> = { 0: '待审核', 1: '有效', 2: '已驳回', 3: '申诉中', 4: '已撤销', 5: '已更正' }
const points = 1000
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

export const stateName = (state: number): string => state_names[state] ?? ''
/** +1.5 */
export const pointsText = (milli: number): string => `${milli > 0 ? '+' : ''}${milli / points}`
/** 2026-11-20 10:00. */
export const timeText = (instant: string): string => clock.format(new Date(instant))
