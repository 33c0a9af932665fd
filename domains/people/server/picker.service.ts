import { most_picked } from '@campus/people/contract'
import type { pickerApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { pathOn } from './dept.queries.ts'
import { labelsOn, requireDept } from './dept.service.ts'
import { parseKeyword, staffFits } from './keyword.ts'
import { liveStaff } from './picker.queries.ts'
import { deptScope } from './scope.ts'

/** Staff at work today inside the scope, by pinyin, each with number and department; at most 300. */
export async function pickStaff(ctx: PeopleCtx, query: Input<typeof pickerApi.teacher>): Promise<Reply<typeof pickerApi.teacher>> {
  const on = schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'staff', on)
  await requireDept(ctx, query.dept_id)
  const path = query.dept_id === undefined ? undefined : await pathOn(ctx.db, ctx.school_id, query.dept_id, on)
  if (query.dept_id !== undefined && path === undefined) return { list: [] }
  const keyword = parseKeyword(query.keyword)
  const rows = await liveStaff(ctx.db, { school_id: ctx.school_id, on, scope, path, ids: query.ids, keyword: keyword ? staffFits(keyword) : undefined }, most_picked)
  const labels = await labelsOn(ctx, rows.flatMap(row => row.primary_dept_id ?? []), on)
  return { list: rows.map(({ primary_dept_id, ...row }) => ({ ...row, label: labels.get(primary_dept_id ?? '') ?? '' })) }
}
