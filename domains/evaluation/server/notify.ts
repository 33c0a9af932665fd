import { evaluationTemplates, pointsText, subject } from '@campus/evaluation/contract'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Work } from './db.ts'

type Told = { user_id: string; subject_user_id: string }

/** Pupils and their guardians of today. */
async function familiesOf({ db, school_id, now }: Work, user_ids: readonly string[]): Promise<Told[]> {
  const today = schoolDay(now)
  const { rows } = await sql<Told>`
    select s.user_id::text as user_id, s.user_id::text as subject_user_id from live_student s where s.school_id = ${school_id}
      and s.user_id = any(${[...user_ids]}::bigint[])
    union all
    select g.parent_user_id::text, g.student_user_id::text from guardian_span g join live_parent p on p.school_id = ${school_id}
      and p.user_id = g.parent_user_id
    where g.school_id = ${school_id} and g.student_user_id = any(${[...user_ids]}::bigint[]) and g.is_guardian
      and g.valid_from <= ${today}::date
      and (g.valid_to is null or g.valid_to > ${today}::date)`.execute(db)
  return [...new Map(rows.map(row => [row.user_id, row])).values()]
}

/** Tells the pupils of a command and their guardians of today of one star; nobody else hears of it (chapter 55 rule 41). Stars of classes are on the wall. */
export async function notifyFamilies(work: Work, type: { star_name: string; subject_kind: number }, user_ids: readonly string[],
  told: { ref: string; milli: number }): Promise<void> {
  if (type.subject_kind !== subject.pupil) return
  const to = await familiesOf(work, user_ids)
  if (to.length === 0) return
  const values = { type: type.star_name, points: pointsText(told.milli) }
  await send(work, { template: evaluationTemplates.given, source_ref: `star:${told.ref}`, to, values, level: 1 })
}

/** Tells families of a level that pupils have reached in one indicator (chapter 55 rule 43). */
export async function notifyLevels(work: Work, reached: readonly { star_name: string; subject_kind: number; subject_id: string }[],
  { ref, name }: { ref: string; name: string }): Promise<void> {
  const [first] = reached
  if (first?.subject_kind !== subject.pupil) return
  const to = await familiesOf(work, reached.map(one => one.subject_id))
  if (to.length === 0) return
  const values = { type: first.star_name, level: name }
  await send(work, { template: evaluationTemplates.level, source_ref: `level:${ref}`, to, values, level: 1 })
}
