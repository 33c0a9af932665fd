import { peopleErrors } from '@campus/people/contract'
import type { deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { requireDepts, seerOf } from './dept.access.ts'
import { openDepts, readParents } from './dept.add.ts'
import type { NewRow } from './dept.add.ts'
import { standing } from './dept.plan.ts'
import { class_type, className, grade_type, gradeWord } from './dept.rules.ts'
import { changeDepts } from './dept.update.ts'

type Draft = Input<typeof deptEditApi.batchAdd>
type Numbered = Extract<Draft, { from_no: number }>

/** Opens many departments, or the numbered classes of a grade; all or none. */
export async function addDepts(ctx: PeopleCtx, input: Draft): Promise<Reply<typeof deptEditApi.batchAdd>> {
  const rows = 'rows' in input ? input.rows.map(({ parent_id, ...draft }, at) => ({ draft, parent_id, field: `rows.${at}.` })) : await numberedClasses(ctx, input)
  const made = await openDepts(ctx, rows)
  ctx.note({ target_kind: 'people.dept', target_name: `${made.length}个部门`, after: { made: made.map(({ versions }) => versions[0]?.pt_node_path_name) } })
  return { list: made.map(({ id }) => ({ id, row_version: 1 })) }
}

/** Changes many departments; all or none. */
export async function updateDepts(ctx: PeopleCtx, { rows }: Input<typeof deptEditApi.batchUpdate>): Promise<Reply<typeof deptEditApi.batchUpdate>> {
  const saved = await changeDepts(ctx, rows)
  const side = (which: 'before' | 'after') => Object.fromEntries(saved.map(one => [one.id, one[which]]))
  ctx.note({ target_kind: 'people.dept', target_name: `${saved.length}个部门`, before: side('before'), after: side('after') })
  return { list: saved.map(({ id, row_version }) => ({ id, row_version })) }
}

/** 一年级1班 to 一年级6班: drafts named by the grade's word. */
async function numberedClasses(ctx: PeopleCtx, { parent_id, from_no, to_no, effective_on, ...more }: Numbered): Promise<NewRow[]> {
  if (from_no > to_no) throw fail(commonErrors.invalid, { errors: [{ field: 'to_no', msg: '结束班号不能小于起始班号' }] })
  await requireDepts(ctx, seerOf(ctx), [parent_id])
  const parent = (await readParents(ctx, [parent_id])).get(parent_id)
  if (parent?.dept_type !== grade_type) throw fail(peopleErrors.deptParentType)
  const above = standing(parent, effective_on ?? schoolDay(ctx.now))
  const word = gradeWord(above.grade, above.dept_name)
  return Array.from({ length: to_no - from_no + 1 }, (_, at) => {
    const class_no = from_no + at
    return { parent_id, field: '', draft: { ...more, effective_on, dept_type: class_type, class_no, dept_name: className(word, class_no) } }
  })
}
