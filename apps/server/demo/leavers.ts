import type { SampleTools } from '@campus/people/server'
import { addDays, workday } from './school-year.ts'
import type { PlannedStaff } from './staff.ts'

/** Somebody of the plan who is gone since the day `on`. */
export type PlannedLeave = { staff_key: string; on: string; reason: string; to_where: string | null }

const retiring = 2
const reasons = [
  { reason: '调出', to_where: '青岛市(虚构)崂山实验学校' },
  { reason: '辞职', to_where: null },
  { reason: '合同到期', to_where: null },
  { reason: '调出', to_where: '青岛市(虚构)黄岛第三中学' },
] as const

/** When and why each of them left (the eldest retired), on working days between the first known day and the demo day. */
export function planLeaves({ draw }: SampleTools, leavers: readonly PlannedStaff[], { past_from, today }: { past_from: string; today: string }): PlannedLeave[] {
  const days = Math.floor((Date.parse(today) - Date.parse(past_from)) / 86_400_000)
  const eldest = leavers.toSorted((a, b) => (a.birthday ?? '').localeCompare(b.birthday ?? '')).slice(0, retiring)
  return leavers.map((person, at) => {
    const on = workday(addDays(past_from, Math.floor(((at + 0.5 + draw.next() / 2) * days) / leavers.length)))
    return { staff_key: person.key, on, ...(eldest.includes(person) ? { reason: '退休', to_where: null } : draw.pick(reasons)) }
  })
}
