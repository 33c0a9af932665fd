import { AI_WARN_KIND, AI_WARN_STATE } from '@campus/devices/contract'
import type { AiRule, AiWarning, RuleBox } from '@campus/devices/contract'
import { instantText, schoolToday } from '@kit/web'

type Kind = AiRule['warn_kind']
type State = AiWarning['state']

export const kind_options = AI_WARN_KIND.codes.map(value => ({ value, label: AI_WARN_KIND.names[value] }))
export const state_colors: Readonly<Record<State, string>> = { 0: 'orange', 1: 'default', 2: 'red' }

export function kindName(kind: Kind): string {
  return AI_WARN_KIND.names[kind]
}

export function stateName(state: State): string {
  return AI_WARN_STATE.names[state]
}

/** When it was, without the day when it was today: 07:41, 11-23 07:41. */
export function shortTime(at: string): string {
  const text = instantText(at)
  return text.slice(0, 10) === schoolToday() ? text.slice(11) : text.slice(5)
}

/** How long it went on: 12秒, 3分05秒; nothing for a moment. */
export function lengthText({ begin_at, end_at }: Pick<AiWarning, 'begin_at' | 'end_at'>): string {
  const seconds = Math.round((Date.parse(end_at) - Date.parse(begin_at)) / 1000)
  if (seconds === 0) return '瞬间'
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return minutes === 0 ? `${rest}秒` : `${minutes}分${String(rest).padStart(2, '0')}秒`
}

/** Whether a box goes by a rule. */
export function isInForce({ want_op, state }: RuleBox): boolean {
  return want_op === 'put' && (state === 'applied' || state === 'proven')
}

/** Whether a box will not go by a rule until somebody does something. */
export function isAnswered({ state }: RuleBox): boolean {
  return state === 'refused' || state === 'blocked'
}

/** A smaller picture for lists. */
export function thumbOf(url: string): string {
  return `${url}&x-oss-process=image/resize,m_lfit,w_360`
}

/** Of a rule's decided warnings the share that was nothing, in percent; null as long as too few were decided to say anything. */
export function falseAlarms({ decided_30d, ignored_30d }: Pick<AiRule, 'decided_30d' | 'ignored_30d'>, least: number): number | null {
  return decided_30d < least ? null : Math.round((ignored_30d / decided_30d) * 100)
}
