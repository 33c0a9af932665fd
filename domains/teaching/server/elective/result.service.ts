import { electiveErrors, parseCombo, teachingEvents, teachingTemplates } from '@campus/teaching/contract'
import type { electiveApi, TaskRow } from '@campus/teaching/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { slotsOf } from './clash.ts'
import { setCombo } from './combo.service.ts'
import { notifyPupils } from './notify.ts'
import { combo_kind, modes, shown, stateAt, stored } from './state.ts'
import { requireTask, taskRow } from './task.queries.ts'

const elective_class = 4

/**
 * 公布: what was chosen is the result; of 3+1+2 it becomes the pupils' subjects from a day on (chapter 50 rule 39). @throws Refusal 404, 409
 * wrongState, 422 notClosed, drawFirst, comboPast
 */
export async function announceTask(ctx: TeachingCtx, { id, from }: Input<typeof electiveApi.announce>): Promise<{ row: TaskRow }> {
  const { db, school_id, now } = ctx
  const task = await requireTask(db, school_id, id, true)
  const state = stateAt(task, now)
  if (state === shown.coming || state === shown.open) throw fail(electiveErrors.notClosed)
  if (state !== shown.closed) throw fail(electiveErrors.wrongState)
  if (task.mode === modes.lottery && task.drawn_at === null) throw fail(electiveErrors.drawFirst)
  if (task.kind === combo_kind) {
    const { rows } = await sql<{ student_id: string; combo: string }>`
      select s.student_id::text as student_id, o.combo from elective_seat s join elective_offer o on o.school_id = ${school_id} and o.id = s.offer_id
      where s.school_id = ${school_id} and s.task_id = ${id} and s.state in (1, 4) and o.combo is not null order by s.student_id`.execute(db)
    for (const { student_id, combo } of rows) {
      const parsed = parseCombo(combo)
      if (parsed) await setCombo(ctx, { student_id, combo: parsed, from, task_id: id, reason: task.name })
    }
  }
  await db.updateTable('elective_task').set({ state: stored.announced, row_version: task.row_version + 1 })
    .where('school_id', '=', school_id).where('id', '=', id).execute()
  const chosen = await db.selectFrom('elective_seat').select('student_id').where('school_id', '=', school_id).where('task_id', '=', id)
    .execute()
  await notifyPupils(ctx, chosen.map(one => one.student_id), { template: teachingTemplates.elective, source_ref: `result:${id}`,
    task: task.name, text: '选课结果已公布，请查看' })
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: `${task.name} 公布` })
  return { row: await taskRow(db, school_id, now, id) }
}

/**
 * 生成教学班: every offer with pupils becomes a class with its roster and its teaching, which walking timetables then place (chapter 50 §2).
 * @throws Refusal 404, 409 classesMade, classNameTaken, 422 notAnnounced, noCourse
 */
export async function makeClasses(ctx: TeachingCtx,
  { id, from }: Input<typeof electiveApi.makeClasses>): Promise<Reply<typeof electiveApi.makeClasses>> {
  const { db, school_id, now } = ctx
  const task = await requireTask(db, school_id, id, true)
  if (task.state !== stored.announced || task.kind === combo_kind) throw fail(electiveErrors.notAnnounced)
  const offers = await db.selectFrom('elective_offer').selectAll().where('school_id', '=', school_id).where('task_id', '=', id)
    .where('taken', '>', 0).orderBy('id').forUpdate().execute()
  if (offers.some(offer => offer.class_id !== null)) throw fail(electiveErrors.classesMade)
  const without = offers.find(offer => offer.course_id === null)
  if (without) throw fail(electiveErrors.noCourse, { params: { title: without.title } })
  const pupils = await db.selectFrom('elective_seat').select(['student_id', 'offer_id']).where('school_id', '=', school_id)
    .where('task_id', '=', id).where('state', 'in', [1, 4]).execute()
  const class_ids: string[] = []
  for (const offer of offers) {
    const made = { school_id, semester_id: task.semester_id, kind: elective_class, name: offer.title,
      grade: offer.grades[0] ?? task.grades[0] ?? '', course_id: offer.course_id, capacity: Math
      .min(400, offer.capacity), home_place_id: offer.place_id }
    const { id: class_id } = await db.insertInto('teaching_class').values(made).returning('id').executeTakeFirstOrThrow()
    class_ids.push(class_id)
    await db.updateTable('elective_offer').set({ class_id }).where('school_id', '=', school_id).where('id', '=', offer.id).execute()
    await insertMany(db, 'teaching_class_student', pupils.filter(one => one.offer_id === offer.id)
      .map(({ student_id }) => ({ school_id, class_id, student_id, valid_from: from, source: 'choice' })))
    const weekly = Math.max(1, slotsOf(offer.slots).length)
    await db.insertInto('teaching')
      .values({ school_id, semester_id: task.semester_id, class_id, course_id: offer.course_id ?? '0', weekly_odd: weekly,
      weekly_even: weekly, teacher_ids: offer.teacher_ids, place_id: offer.place_id, updated_at: now }).execute()
  }
  await publish(ctx, teachingEvents.assignmentChanged,
    { semester_id: task.semester_id, class_ids, teacher_ids: [...new Set(offers.flatMap(offer => offer.teacher_ids))] })
  for (const class_id of class_ids) await publish(ctx, teachingEvents.rosterChanged,
    { class_id, student_ids: pupils.filter(one => offers[class_ids.indexOf(class_id)]?.id === one.offer_id)
    .map(one => one.student_id), from })
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: `${task.name} 生成教学班 ${offers.length}个` })
  return { classes: offers.length, students: pupils.length }
}
