import { most_told, peopleEvents } from '@campus/people/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { chunks } from '../bulk.ts'
import type { EffectSubject } from '../change/effect-port.ts'
import type { RunImage } from './write.ts'

type Told = { command_id: string; on: string; image: RunImage; moved: readonly EffectSubject[]; graduated: readonly EffectSubject[]; left: readonly EffectSubject[] }

/** Tells on its day what a promotion is for others: cohorts with another grade, pupils who graduated, left or are in another class. */
export async function tellUpgraded(from: Publisher, { command_id, on, image, moved, graduated, left }: Told): Promise<void> {
  const promoted = [...new Set(image.after.map(row => row.dept_id))].filter(id => !image.made.includes(id) && !image.closed.includes(id))
  if (promoted.length > 0) await publish(from, peopleEvents.deptPromoted, { dept_ids: promoted, on })
  for (const people of chunks(moved.map(({ user_id, before, after }) => ({ user_id, from: before.dept_id, to: after.dept_id })), most_told)) await publish(from, peopleEvents.personMoved, { people, on })
  for (const [kind, people] of [['GRAD', graduated], ['OUT', left]] as const) {
    for (const user_ids of chunks(people.map(person => person.user_id), most_told)) await publish(from, peopleEvents.personDeparted, { user_ids, on, kind })
  }
  await publish(from, peopleEvents.changeApplied, { command_id, kind: 'UPGRADE' })
}

/** Tells which departments are other than before, and which have ended; on a day to come the turn of the day does. */
export async function tellCohorts(from: Publisher, on: string, { after, closed, made }: RunImage): Promise<void> {
  const dept_ids = [...new Set([...after.map(row => row.dept_id), ...made])]
  if (dept_ids.length > 0) await publish(from, peopleEvents.deptChanged, { dept_ids })
  if (closed.length > 0) await publish(from, peopleEvents.deptClosed, { dept_ids: closed, on })
}
