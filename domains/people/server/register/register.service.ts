import { peopleErrors } from '@campus/people/contract'
import type { registerApi, registerCoreApi, registerFieldApi, RegisterInfo } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertRows } from '../bulk.ts'
import type { PeopleCtx } from '../db.ts'
import { countWaiting, findRegister, lockRegister, writeRegister } from './register.queries.ts'
import { sceneFields } from './scene.ts'

/** How both forms stand. @throws Refusal 404 for another school */
export async function readInfo(ctx: PeopleCtx, { school_id }: Input<typeof registerCoreApi.info>): Promise<RegisterInfo> {
  if (school_id !== ctx.school_id) throw fail(commonErrors.notFound)
  return infoOf(ctx)
}

async function infoOf({ db, school_id }: PeopleCtx): Promise<RegisterInfo> {
  const row = await findRegister(db, school_id)
  return {
    school_id,
    is_register: row?.is_register ?? false,
    open_register_end_time: row?.open_register_end_time?.toISOString() ?? null,
    register_msg: row?.register_msg ?? null,
    is_teacher_register: row?.is_teacher_register ?? false,
    open_teacher_register_end_time: row?.open_teacher_register_end_time?.toISOString() ?? null,
    teacher_register_msg: row?.teacher_register_msg ?? null,
    register_key: row ? `${school_id}-${row.register_key}` : null,
    waiting: await countWaiting(db, school_id),
    row_version: row?.row_version ?? 0,
  }
}

/** Opens or closes the form for pupils (chapter 20 rule 28). @throws Refusal 422 registerEnd, registerMsg, 409 staleRow */
export function openStudents(ctx: PeopleCtx, { is_register, open_register_end_time, register_msg, row_version }: Input<typeof registerApi.openStudents>): Promise<RegisterInfo> {
  const end = endOf(ctx, is_register, open_register_end_time, register_msg)
  return saveSwitch(ctx, row_version, { is_register, open_register_end_time: end, register_msg: register_msg || null })
}

/** The same for staff, who enter by the import of staff. */
export function openTeachers(ctx: PeopleCtx, draft: Input<typeof registerApi.openTeachers>): Promise<RegisterInfo> {
  const { is_teacher_register, open_teacher_register_end_time, teacher_register_msg, row_version } = draft
  const end = endOf(ctx, is_teacher_register, open_teacher_register_end_time, teacher_register_msg)
  return saveSwitch(ctx, row_version, { is_teacher_register, open_teacher_register_end_time: end, teacher_register_msg: teacher_register_msg || null })
}

function endOf({ now }: PeopleCtx, is_open: boolean, end_time: string | null, msg: string | null): Date | null {
  const end = end_time === null ? null : new Date(end_time)
  if (is_open && (end === null || end <= now)) throw fail(peopleErrors.registerEnd)
  if (!is_open && !msg) throw fail(peopleErrors.registerMsg)
  return end
}

async function saveSwitch(ctx: PeopleCtx, row_version: number, change: Parameters<typeof writeRegister>[2]): Promise<RegisterInfo> {
  const { db, school_id, me, now } = ctx
  const before = await lockRegister(db, school_id)
  if (before.row_version !== row_version) throw fail(peopleErrors.staleRow)
  await writeRegister(db, school_id, { ...change, updated_at: now, updated_by: me.user_id })
  ctx.note({ target_kind: 'people.open_register', target_id: String(school_id), after: { ...change } })
  return infoOf(ctx)
}

/** The fields of a form. @throws Refusal 422 fieldScene */
export async function listFields(ctx: PeopleCtx, { field_scene }: Input<typeof registerFieldApi.list>): Promise<Reply<typeof registerFieldApi.list>> {
  return { field_scene, list: await sceneFields(ctx, field_scene) }
}

/** Saves which fields a form asks, in this order. @throws Refusal 422 fieldScene, and registerFields when they are not those of the scene */
export async function saveFields(ctx: PeopleCtx, { field_scene, list }: Input<typeof registerFieldApi.save>): Promise<Reply<typeof registerFieldApi.save>> {
  const { db, school_id } = ctx
  const known = new Set((await sceneFields(ctx, field_scene)).map(field => field.field_code))
  const codes = new Set(list.map(field => field.field_code))
  if (codes.size < list.length || codes.size !== known.size || [...codes].some(code => !known.has(code))) throw fail(peopleErrors.registerFields)
  await db.deleteFrom('register_field').where('school_id', '=', school_id).where('field_scene', '=', field_scene).execute()
  await insertRows(db, 'register_field', list.map((line, at) => ({ school_id, field_scene, ...line, required: line.shown && line.required, order_no: at + 1 })))
  ctx.note({ target_kind: 'people.register_field', target_id: String(field_scene), after: { shown: list.filter(line => line.shown).map(line => line.field_code) } })
  return listFields(ctx, { field_scene })
}
