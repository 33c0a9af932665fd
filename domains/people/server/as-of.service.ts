import { archiveChanges } from '@campus/audit/server'
import { readFileValue, registry, registry_props, staff_props, staff_registry } from '@campus/people/contract'
import type { asOfApi, FileAsOf } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { changesSince } from './archive-feed.queries.ts'
import { addDays, schoolDay, schoolTime } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { labelsOn } from './dept.service.ts'
import { customOf } from './field/ext.ts'
import { deptScope } from './scope.ts'
import type { DeptScope, Tree } from './scope.ts'
import { staffAtWork } from './staff/staff-file.queries.ts'
import type { KnownStaff } from './staff/staff-file.queries.ts'
import { shownStaff, staffWords } from './staff/staff-file.values.ts'
import { deptsOfStaff } from './staff/staff.queries.ts'
import { pupilOnRoll } from './student-file.queries.ts'
import type { FilePupil } from './student-file.queries.ts'
import { shownBefore } from './student-file.values.ts'
import { fileWords } from './student-file.words.ts'
import { guardiansOf, pupilsOf } from './student.queries.ts'

type Asked = Input<typeof asOfApi.asOf> & { id: string }
type Field = FileAsOf['fields'][number]
type Find<T> = (key: { school_id: number; user_id: string; scope: DeptScope; today: string }) => Promise<T | undefined>

const pupil_kind = 1
const staff_kind = 2

/**
 * The file of a pupil or of a member of staff as it was when a day ended: what the journal says has changed since is taken back from what
 * stands there now. Whoever has left is read as of a day on which he was here. Protected values stay masked, as the journal keeps them
 * (chapter 20 §1.2 archive log).
 * @throws Refusal 404 for everybody outside scope or school and for people who were not here, 400 for a day to come
 */
export async function readAsOf(ctx: PeopleCtx, { id, on }: Asked): Promise<FileAsOf> {
  const { db } = ctx
  if (on > schoolDay(ctx.now)) throw fail(commonErrors.malformed)
  const pupil = await seenOn(ctx, 'student', { id, on }, key => pupilOnRoll(db, key))
  const file = pupil ? await pupilAsOf(ctx, pupil, on) : await staffAsOf(ctx, await seenOn(ctx, 'staff', { id, on }, key => staffAtWork(db, key)), on)
  ctx.note({ target_kind: file.person_kind === pupil_kind ? 'people.student' : 'people.staff', target_id: id, target_name: file.user_name, after: { as_of: on } })
  return file
}

/** Somebody here today inside today's scope; who is not here any more by the scope of the asked day. */
async function seenOn<T>(ctx: PeopleCtx, tree: Tree, { id: user_id, on }: Asked, find: Find<T>): Promise<T | undefined> {
  const { school_id } = ctx
  const today = schoolDay(ctx.now)
  if (await find({ school_id, user_id, scope: 'all', today })) return find({ school_id, user_id, scope: await deptScope(ctx, tree, today), today })
  return find({ school_id, user_id, scope: await deptScope(ctx, tree, on), today: on })
}

async function pupilAsOf(ctx: PeopleCtx, pupil: FilePupil, on: string): Promise<FileAsOf> {
  const { db, school_id } = ctx
  const { user_id } = pupil
  const words = await fileWords(ctx)
  const now = registry_props.map(field => ({ field, label: registry[field].label, value: shownBefore(field, pupil, words), changed: false }))
  const fields = await fieldsThen(ctx, { user_id, kind: pupil_kind, on }, [...now, ...(await customNow(ctx, 'student', pupil.ext))])
  const [then] = await pupilsOf(db, { school_id, on }, [user_id])
  const dept_id = then?.dept_id ?? null
  const guardians = await guardiansOf(db, school_id, [user_id], on)
  return {
    user_id, on, person_kind: pupil_kind, user_name: valueOf(fields, 'user_name'), user_no: valueOf(fields, 'student_no'), fields,
    dept_name: dept_id === null ? null : ((await labelsOn(ctx, [dept_id], on)).get(dept_id) ?? null),
    state: then?.state ?? null,
    guardians: guardians.map(({ user_name, relation, is_guardian }) => ({ user_name, relation, is_guardian })),
  }
}

async function staffAsOf(ctx: PeopleCtx, staff: KnownStaff | undefined, on: string): Promise<FileAsOf> {
  if (!staff) throw fail(commonErrors.notFound)
  const { db, school_id } = ctx
  const { user_id } = staff
  const words = await staffWords(ctx)
  const now = staff_props.map(field => ({ field, label: staff_registry[field].label, value: shownStaff(field, staff, words), changed: false }))
  const fields = await fieldsThen(ctx, { user_id, kind: staff_kind, on }, [...now, ...(await customNow(ctx, 'staff', staff.ext))])
  const depts = await deptsOfStaff(db, school_id, [user_id], on)
  const labels = await labelsOn(ctx, depts.map(dept => dept.dept_id), on)
  const then = await staffAtWork(db, { school_id, user_id, scope: 'all', today: on })
  return {
    user_id, on, person_kind: staff_kind, user_name: valueOf(fields, 'user_name'), user_no: valueOf(fields, 'teacher_no'), fields,
    dept_name: depts.map(({ dept_id, is_primary, position }) => `${labels.get(dept_id) ?? ''}${is_primary ? '（主）' : '（兼）'}${position ?? ''}`).join('；') || null,
    state: then?.state ?? null,
    guardians: [],
  }
}

async function customNow(ctx: PeopleCtx, facet: 'student' | 'staff', ext: unknown): Promise<Field[]> {
  return (await customOf(ctx, facet, ext)).map(({ field_code, label, value, type }) => ({ field: `ext.${field_code}`, label, value: type === 'file' ? (readFileValue(value)?.file_name ?? '') : (value ?? ''), changed: false }))
}

async function fieldsThen({ db, school_id }: PeopleCtx, { user_id, kind, on }: { user_id: string; kind: number; on: string }, now: readonly Field[]): Promise<Field[]> {
  return takenBack(now, await changesSince(db, { school_id, person_id: user_id, person_kind: kind, since: schoolTime(addDays(on, 1), '00:00') }))
}

/** The fields as they were before these changes, the newest of which comes first. */
export function takenBack(fields: readonly Field[], newest_first: readonly unknown[]): Field[] {
  const before = new Map<string, string>()
  for (const changes of newest_first) for (const change of archiveChanges(changes)) before.set(change.field, change.before ?? '')
  return fields.map(field => {
    const value = before.get(field.field)
    return value === undefined || value === field.value ? field : { ...field, value, changed: true }
  })
}

function valueOf(fields: readonly Field[], name: string): string {
  return fields.find(({ field }) => field === name)?.value ?? ''
}
