import { alarmEvents } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Act } from './db.ts'

const hour_ms = 3_600_000
/** Originals that one person may look at in an hour before somebody asks why (chapter 40 rule 40). */
const most_looks = 50

const overdueAlarm = (erasure_id: string) => ({
  domain: 'faces',
  kind: 'erasure_overdue',
  source_id: erasure_id,
  level: 2 as const,
  deadline: null,
  need: 'faces.erasure.view',
})

/** Raises, once each, erasures that are past their time although every device that still has to prove it is there (chapter 40 §2.4). */
export async function raiseOverdue({ app, db, school_id, now }: Act, erasure_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ erasure_id: string }>`
    update face_erasure e set alarmed_at = ${now}::timestamptz
    where e.school_id = ${school_id} and e.erasure_id = any(${[...erasure_ids]}::bigint[]) and e.closed_at is null and e.alarmed_at is null
      and e.due_at < ${now}::timestamptz
      and not exists (select 1 from face_erasure_item i left join device_live_v d on d.school_id = ${school_id} and d.device_id = i.target_id
        where i.school_id = ${school_id} and i.erasure_id = e.erasure_id and i.target = 8 and i.proven_at is null
          and not coalesce(d.online, false))
    returning e.erasure_id::text as erasure_id`.execute(db)
  for (const { erasure_id } of rows) await publish({ app, db, school_id, now }, alarmEvents.raised, overdueAlarm(erasure_id))
}

/** The face is gone everywhere by now. */
export function closeOverdue({ app, db, school_id, now }: Act, erasure_id: string): Promise<void> {
  return publish({ app, db, school_id, now }, alarmEvents.closed, overdueAlarm(erasure_id))
}

/** Counts a look at an original; the one too many within an hour is an alarm (chapter 40 §9, 34). @returns whether this was the one */
export async function noteLook({ app, db, school_id, now }: Act, viewed_by: string, face_id: string): Promise<boolean> {
  await db.insertInto('face_photo_look').values({ school_id, viewed_by, face_id, at: now }).execute()
  const since = new Date(now.getTime() - hour_ms)
  await db.deleteFrom('face_photo_look').where('school_id', '=', school_id).where('viewed_by', '=', viewed_by).where('at', '<=', since).execute()
  const { looks } = await db
    .selectFrom('face_photo_look')
    .select(({ fn }) => fn.countAll<string>().as('looks'))
    .where('school_id', '=', school_id)
    .where('viewed_by', '=', viewed_by)
    .executeTakeFirstOrThrow()
  if (Number(looks) !== most_looks + 1) return false
  const source_id = `${viewed_by}/${now.toISOString().slice(0, 13)}`
  const alarm = { domain: 'faces', kind: 'photo_looks', source_id, level: 2 as const, deadline: null, need: 'faces.policy.edit' }
  await publish({ app, db, school_id, now }, alarmEvents.raised, alarm)
  return true
}
