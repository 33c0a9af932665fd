import { ATTEND_STATE, attend_states as states } from '@campus/attendance/contract'
import { clockText } from './text.ts'
import type { Expectation, PersonDay, Verdict } from './types.ts'
import { inWindow } from './window.ts'

/**
 * Why a row is what it is, in one Chinese sentence (chapter 55 §10.1): `第3节 物理(E203)未见打卡；校门07:21进校；E203班牌10:02–10:31离线 → 待核实`.
 */
export function sentenceOf(day: PersonDay, of: Expectation, verdict: Verdict, text: string): string {
  const where = of.place ? `(${of.place.name})` : ''
  const facts = [`${of.title}${where}${text}`, ...minutesText(verdict), ...gateText(day, of, verdict)]
  const missing: readonly number[] = [states.unverified]
  if (missing.includes(verdict.state)) facts[0] = `${of.title}${where}未见打卡`
  if (missing.includes(verdict.state)) facts.push(text)
  const names: Readonly<Record<string, string>> = ATTEND_STATE.names
  return `${facts.join('；')} → ${names[verdict.state] ?? ''}`
}

function minutesText({ late_min, early_min }: Verdict): string[] {
  return [...(late_min > 0 ? [`迟到${late_min}分钟`] : []), ...(early_min > 0 ? [`提前${early_min}分钟离开`] : [])]
}

/** The last way through the gates before the window ends, for who was missing. */
function gateText(day: PersonDay, of: Expectation, { state }: Verdict): string[] {
  const missing: readonly number[] = [states.absent, states.unverified]
  if (!missing.includes(state)) return []
  const until = of.rule ? inWindow(of, of.rule.body).end : of.end
  const last = day.gates.findLast(gate => gate.at < until)
  return last ? [`${last.place_name}${clockText(last.at)}${last.direction === 1 ? '进校' : '出校'}`] : []
}
