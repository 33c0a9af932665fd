import { devicesEvents } from '@campus/devices/contract'
import { peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { consume, setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { schoolDay } from '@campus/school/server'
import { raiseOverdue } from './alarm.ts'
import { needsOf, reopen } from './consent.core.ts'
import type { Act, FacesDb } from './db.ts'
import { endFace, endFaces, failed_kind, settleErasures, watch_kind } from './erase.ts'
import { guardiansOf, readSitters } from './people.ts'
import { readPolicy } from './policy.ts'
import { source, userOf } from './push.ts'

const [left, overdue] = [4, 5] as const
const next_look_ms = 600_000
const watched_days = 90
const day_ms = 86_400_000

type System = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
const systemAct = ({ app, db, school_id, now }: System): Act => ({ app, db: asTables<FacesDb>(db), school_id, now, by: null })

/** What people's comings and goings mean for faces (chapter 40 §7), and what devices confirm. */
export const facesConsumers = [
  consume('faces.person_departed', peopleEvents.personDeparted.name, peopleEvents.personDeparted.payload.pick({ user_ids: true }), async (step, { user_ids }) => {
    await endFaces(systemAct(step), user_ids, { cause: left })
    await reopen(systemAct(step), user_ids)
  }),
  consume('faces.guardian_changed', peopleEvents.guardianChanged.name, peopleEvents.guardianChanged.payload, (step, { user_ids }) => followGuardians(systemAct(step), user_ids)),
  consume('faces.row_acked', devicesEvents.rowAcked.name, devicesEvents.rowAcked.payload, async (step, row) => {
    if (row.source !== source) return
    const act = systemAct(step)
    const open = await act.db.selectFrom('face_erasure').select('erasure_id').where('school_id', '=', act.school_id).where('user_id', '=', userOf(row.source_ref)).where('closed_at', 'is', null).execute()
    if (open.length > 0) await settleErasures(act, open.map(one => one.erasure_id))
  }),
]

/** Who signed for a child and is no guardian of it any more: the question is open again (chapter 40 rule 35). */
async function followGuardians(act: Act, user_ids: readonly string[]): Promise<void> {
  const { db, school_id, now } = act
  const signed = await db
    .selectFrom('face_consent as c')
    .innerJoin('face_consent_log as g', join => join.on('g.school_id', '=', school_id).onRef('g.log_id', '=', 'c.guardian_log_id'))
    .select(['c.user_id', 'g.confirm_user', 'g.confirm_scene'])
    .where('c.school_id', '=', school_id)
    .where('c.state', '=', 1)
    .where('c.user_id', 'in', [...user_ids])
    .execute()
  const sitters = await readSitters(db, school_id, signed.map(one => one.user_id), null)
  const policy = await readPolicy(db, school_id)
  const guardians = await guardiansOf(db, school_id, signed.map(one => one.user_id))
  const by_phone = 7
  const gone = signed.filter(({ user_id, confirm_user, confirm_scene }) => {
    const sitter = sitters.get(user_id)
    const is_needed = sitter !== undefined && needsOf(sitter, policy, schoolDay(now)).guardian
    return is_needed && confirm_scene === by_phone && !guardians.some(one => one.student_user_id === user_id && one.parent_user_id === confirm_user)
  })
  await reopen(act, gone.map(one => one.user_id))
}

/** Looks whether every device has proved that it forgot a face; an erasure is never closed by time (chapter 40 §2.4). */
export const erasureTimer: TimerKind = {
  kind: watch_kind,
  async run(db, due) {
    const act = systemAct({ ...due, db })
    const [open] = await settleErasures(act, [due.ref])
    if (open !== undefined) await raiseOverdue(act, [open])
    const erasure = await act.db.selectFrom('face_erasure').select('ordered_at').where('school_id', '=', act.school_id).where('erasure_id', '=', due.ref).executeTakeFirst()
    const is_watched = open !== undefined && erasure !== undefined && due.now.getTime() - erasure.ordered_at.getTime() < watched_days * day_ms
    if (is_watched) await setTimer(act, { kind: watch_kind, ref: due.ref, due_at: new Date(due.now.getTime() + next_look_ms) })
  },
}

/** A picture that failed goes after a week, if nobody has passed it meanwhile (chapter 40 rule 38). */
export const failedTimer: TimerKind = {
  kind: failed_kind,
  async run(db, due) {
    const act = systemAct({ ...due, db })
    const face = await act.db.selectFrom('face').select('face_id').where('school_id', '=', act.school_id).where('face_id', '=', due.ref).where('ended_at', 'is', null).where('current_from', 'is', null).where('detect_state', '=', 3).executeTakeFirst()
    if (face) await endFace(act, face.face_id, { cause: overdue }, [])
  },
}
