import type { CallOf, Live } from '../shell/session.ts'
import type { attend_calls } from './app.ts'

/** Calls of the three attendance manifests; the server lets each make its own only. */
export type AttendCall = CallOf<typeof attend_calls>

/** What every page has: who it is for, how to call, and a word to the user. */
export type AttendPage = { live: Live; call: AttendCall; say: (msg: string) => void }

const state_names: Readonly<Record<number, string>> = {
  1: '正常',
  2: '迟到',
  3: '早退',
  4: '缺勤',
  5: '请假',
  6: '未到时间',
  7: '补签',
  8: '外勤',
  9: '免考勤',
  10: '待核实',
}
const request_names: Readonly<Record<number, string>> = { 0: '待审核', 1: '已更正', 2: '已驳回', 3: '已撤销' }
const warned: readonly number[] = [2, 3, 4, 10]
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

export const stateName = (state: number): string => state_names[state] ?? ''
export const requestName = (state: number): string => request_names[state] ?? ''
export const stateTag = (state: number): string => (warned.includes(state) ? 'tag tag-warn' : 'tag')
/** 2026-11-20 10:00. */
export const timeText = (instant: string): string => clock.format(new Date(instant))
/** 10:00. */
export const hourText = (instant: string): string => timeText(instant).slice(11)
/** Today by the school's clock. */
export const schoolToday = (): string => clock.format(new Date()).slice(0, 10)
