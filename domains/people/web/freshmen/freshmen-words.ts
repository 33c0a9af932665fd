import type { FreshmanState, FreshmenSeason, SeasonState } from '@campus/people/contract'
import { FRESHMAN_STATE, freshman_states } from '@campus/people/contract'
import { dictionaryName } from '@kit/web'

/** Green in effect, blue running, orange waits for somebody, red refused, grey past. */
export const state_colors: Readonly<Record<FreshmanState, string>> = { 0: 'default', 1: 'orange', 2: 'blue', 3: 'red', 4: 'cyan', 5: 'default', 6: 'green', 7: 'default' }
export const state_names: Readonly<Record<FreshmanState, string>> = FRESHMAN_STATE.names
export const state_options = freshman_states.map(value => ({ value, label: state_names[value] }))
export const season_words: Readonly<Record<SeasonState, string>> = { draft: '未开放', open: '报名中', closed: '报名结束', placed: '已分班', finished: '已结束' }

/** 2026-2027学年 小学. */
export function seasonTitle({ school_year, stage }: Pick<FreshmenSeason, 'school_year' | 'stage'>): string {
  return `${school_year}学年 ${dictionaryName('STAGE', stage)}`
}
