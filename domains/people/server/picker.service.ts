import { most_picked } from '@campus/people/contract'
import type { pickerApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { pathOn } from './dept.queries.ts'
import { labelsOn, requireDept } from './dept.service.ts'
import { parseKeyword, pupilPicked, staffFits } from './keyword.ts'
import { liveStaff } from './picker.queries.ts'
import { deptScope } from './scope.ts'
import { untaggedFilter } from './student.filter.ts'
import { orderedPupils, pupilsOf } from './student.queries.ts'

/** Whether a named department means everybody below it too, as choosers do, or those of that very department. */
type Reach = { below: boolean }
const subtree: Reach = { below: true }

/** Pupils in class today inside the scope, by pinyin, each with number and class; at most 300. */
export async function pickStudents(ctx: PeopleCtx, { dept_id, keyword: text, ids }: Input<typeof pickerApi.student>, { below } = subtree): Promise<Reply<typeof pickerApi.student>> {
  const on = schoolDay(ctx.now)
  const filter = await untaggedFilter(ctx, await deptScope(ctx, 'student', on), { dept_id, include_sub: below }, on)
  if (!filter) return { list: [] }
  const keyword = parseKeyword(text)
  const asked = { ...filter, among: ids, keyword: keyword ? [pupilPicked(keyword)] : undefined }
  const rows = await pupilsOf(ctx.db, filter, await orderedPupils(ctx.db, asked, 'name_py', { limit: most_picked, offset: 0 }))
  const labels = await labelsOn(ctx, rows.flatMap(row => row.dept_id ?? []), on)
  return { list: rows.map(row => ({ user_id: row.user_id, user_name: row.user_name, user_no: row.student_no, label: labels.get(row.dept_id ?? '') ?? '' })) }
}

/** Staff at work today inside the scope, by pinyin, each with number and department; at most 300. */
export async function pickStaff(ctx: PeopleCtx, query: Input<typeof pickerApi.teacher>, { below } = subtree): Promise<Reply<typeof pickerApi.teacher>> {
  const on = schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'staff', on)
  await requireDept(ctx, query.dept_id)
  const path = query.dept_id === undefined ? undefined : await pathOn(ctx.db, ctx.school_id, query.dept_id, on)
  if (query.dept_id !== undefined && path === undefined) return { list: [] }
  const keyword = parseKeyword(query.keyword)
  const dept_id = below ? undefined : query.dept_id
  const rows = await liveStaff(ctx.db, { school_id: ctx.school_id, on, scope, path, dept_id, ids: query.ids, keyword: keyword ? staffFits(keyword) : undefined }, most_picked)
  const labels = await labelsOn(ctx, rows.flatMap(row => row.primary_dept_id ?? []), on)
  return { list: rows.map(({ primary_dept_id, ...row }) => ({ ...row, label: labels.get(primary_dept_id ?? '') ?? '' })) }
}
