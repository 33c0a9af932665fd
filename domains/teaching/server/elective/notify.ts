import { teachingTemplates } from '@campus/teaching/contract'
import { send } from '@campus/messages/server'
import type { Sender } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingDb } from '../db.ts'

type Text = { template: typeof teachingTemplates.elective; source_ref: string; task: string; text: string }

/** Tells pupils and their parents about a task of choosing; the same reference is told once (chapter 50 rule 34). */
export async function notifyPupils(from: Sender, student_ids: readonly string[], { template, source_ref, task,
  text }: Text): Promise<void> {
  const ids = [...new Set(student_ids)]
  if (ids.length === 0) return
  await send(from, { template, source_ref, to: await withParents(from, ids), values: { task, text }, level: 1 })
}

/** Pupils, and of each his guardians of today. */
async function withParents(from: Sender, ids: readonly string[]): Promise<{ user_id: string; subject_user_id?: string }[]> {
  const today = schoolDay(from.now)
  const { rows } = await sql<{ parent_user_id: string; student_user_id: string }>`
    select g.parent_user_id::text as parent_user_id, g.student_user_id::text as student_user_id from guardian_span g
    join live_parent p on p.school_id = ${from.school_id} and p.user_id = g.parent_user_id
    where g.school_id = ${from.school_id} and g.student_user_id = any(${[...ids]}::bigint[]) and g.is_guardian and g.valid_from <= ${today}::date
      and (g.valid_to is null or g.valid_to > ${today}::date) order by 1, 2`.execute(asTables<TeachingDb>(from.db))
  return [...ids.map(user_id => ({ user_id })), ...rows.map(row => ({ user_id: row.parent_user_id, subject_user_id: row.student_user_id }))]
}

/** Tells teachers that their lessons of a date are different. */
export async function notifyTeachers(from: Sender, user_ids: readonly string[],
  { source_ref, text }: { source_ref: string; text: string }): Promise<void> {
  const ids = [...new Set(user_ids)]
  if (ids.length > 0) await send(from, { template: teachingTemplates.change, source_ref, to: ids.map(user_id => ({ user_id })),
    values: { text }, link: '/TeacherTimeTable', level: 2 })
}


/** Tells the pupils of classes and their parents that lessons of a date are different. */
export async function notifyClasses(from: Sender, class_ids: readonly string[],
  { source_ref, text }: { source_ref: string; text: string }): Promise<void> {
  if (class_ids.length === 0) return
  const today = schoolDay(from.now)
  const rows = await asTables<TeachingDb>(from.db).selectFrom('teaching_class_member_v').select('user_id').distinct()
    .where('school_id', '=', from.school_id).where('class_id', 'in', [...class_ids]).where('valid_from', '<=', today)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', today)])).orderBy('user_id').execute()
  const ids = rows.map(row => row.user_id)
  if (ids.length === 0) return
  const to = await withParents(from, ids)
  await send(from, { template: teachingTemplates.change, source_ref, to, values: { text }, level: 1 })
}
