import type { ModuleLine, ModulePeriod } from '@campus/school/contract'

/** The state of a module in words: 使用中, 剩12天, 已停用, 已到期, 未到开始日期. */
export function stateText({ state, days_left }: Pick<ModuleLine, 'state' | 'days_left'>): string {
  if (state === 'open') return days_left === null ? '使用中' : days_left === 1 ? '今天到期' : `剩${days_left}天`
  return { off: '已停用', ended: '已到期', future: '未到开始日期' }[state]
}

/** Green in effect, orange ending, red over, blue still to come, grey switched off. */
export function stateColour({ state, days_left }: Pick<ModuleLine, 'state' | 'days_left'>): string {
  if (state === 'open') return days_left === null ? 'green' : 'orange'
  return { off: 'default', ended: 'red', future: 'blue' }[state]
}

/** Does somebody have to look at it? */
export function needsNotice({ state, days_left }: Pick<ModuleLine, 'state' | 'days_left'>): boolean {
  return state !== 'open' || days_left !== null
}

const day_ms = 86_400_000

/** The last day of a period with this exclusive end. */
export function lastDay(valid_to: string): string {
  return new Date(Date.parse(valid_to) - day_ms).toISOString().slice(0, 10)
}

/** The exclusive end of a period whose last day this is. */
export function endAfter(last_day: string): string {
  return new Date(Date.parse(last_day) + day_ms).toISOString().slice(0, 10)
}

/** The period of today or the next one, in days as people say them. */
export function periodText({ periods }: Pick<ModuleLine, 'periods'>, today: string): string {
  if (periods.length === 0) return '长期'
  const now = periods.find(period => period.valid_to === null || period.valid_to > today) ?? periods.at(-1)
  return now ? spanText(now) : ''
}

/** Every period in words, the newest first. */
export function periodLines({ periods }: Pick<ModuleLine, 'periods'>): string[] {
  return periods.toReversed().map(period => `${spanText(period)}　${period.enabled ? '开通' : '停用'}`)
}

function spanText({ valid_from, valid_to }: Pick<ModulePeriod, 'valid_from' | 'valid_to'>): string {
  return `${valid_from} 至 ${valid_to === null ? '长期' : lastDay(valid_to)}`
}
