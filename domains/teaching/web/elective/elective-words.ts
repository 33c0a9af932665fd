import { comboName, elective_states, weekday_names } from '@campus/teaching/contract'
import type { Offer, TaskRow } from '@campus/teaching/contract'
import { instantText } from '@kit/web'
import { dayjs } from '@kit/web/day'

/** ELECTIVE_STATE. */
export const states = { draft: 0, coming: 1, open: 2, closed: 3, announced: 4, void: 9 } as const
export const lottery = 2
export const combo_kind = 1
export const state_colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'blue', 2: 'green', 3: 'gold', 4: 'purple', 9: 'default' }

/** 选课中, or 已暂停 where a pause holds it. */
export function stateName({ state, paused }: Pick<TaskRow, 'state' | 'paused'>): string {
  const names: Readonly<Record<number, string>> = elective_states
  return paused && state === states.coming ? '已暂停' : (names[state] ?? '')
}

/** 星期三第8节、星期五第8节. */
export function slotsText({ slots }: Pick<Offer, 'slots'>): string {
  return slots.map(({ weekday, section }) => `${weekday_names[weekday] ?? ''}第${section}节`).join('、')
}

export function offerTitle({ title, combo }: Pick<Offer, 'title' | 'combo'>): string {
  return combo === null ? title : comboName(combo)
}

export type Clock = ReturnType<typeof dayjs>
/** An instant in a picker that shows the school's clock, and back. */
export const clockOf = (instant: string): Clock => dayjs(instantText(instant))
export const instantOf = (clock: Clock): string => `${clock.format('YYYY-MM-DDTHH:mm')}:00+08:00`
