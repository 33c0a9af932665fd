import type { AppliedRow, ApplyRow, ApplyStep } from '@campus/jobs/server'
import type { DeptDraft } from '@campus/people/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { oneOf } from '../dated.ts'
import type { DeptDesk, PeopleDb } from '../db.ts'
import { openDepts } from '../dept.add.ts'
import { class_type, className, gradeWord } from '../dept.rules.ts'
import { changeDepts } from '../dept.update.ts'
import type { DeptChange } from '../dept.update.ts'
import { deptImages, deptKey, deptMarks } from './dept.image.ts'
import type { DeptImage } from './dept.image.ts'
import type { ParsedDept } from './dept.parsed.ts'
import type { DeptSnapshot, KnownDept } from './dept.snapshot.ts'

type Row = ApplyRow<ParsedDept>
type Step = ApplyStep<PeopleDb>
/** A department that others of the piece may stand under. */
type Above = { id: string; dept_name: string; grade: string | null }
type Written = { row: Row; id: string; before: DeptImage | null }

/**
 * Writes one piece of the sheet by the edits of the page: the same scope, locks, rules, duties and events. Lines whose parent is made by
 * the same piece wait for it; one whose parent did not come to be is not answered.
 */
export async function applyDepts(step: Step, rows: readonly Row[], snapshot: DeptSnapshot): Promise<AppliedRow[]> {
  const desk: DeptDesk = { ...step, note: () => undefined, scoped: () => undefined }
  const made = await openNew(desk, step.batch_no, rows.filter(({ judgement }) => judgement.verdict === 'new'), snapshot)
  const changed = await changeKnown(desk, rows.filter(({ judgement }) => judgement.verdict === 'change'), snapshot)
  const written = [...made, ...changed]
  const marks = await deptMarks(step, written.map(({ id }) => id))
  const applied = written.map(({ row, id, before }) => ({ row_no: row.row_no, target_id: id, before, touched: [{ key: deptKey(id), mark: marks.get(deptKey(id)) ?? '' }] }))
  const same = rows.filter(({ judgement }) => judgement.verdict === 'same').map(({ row_no, judgement }) => ({ row_no, target_id: judgement.target_id ?? '', before: null }))
  return [...applied, ...same]
}

/** Level by level: first those below departments that are there, then those below the ones just made. */
async function openNew(desk: DeptDesk, batch_no: string, rows: readonly Row[], snapshot: DeptSnapshot): Promise<Written[]> {
  const above = new Map<string, Above>([...snapshot.by_path].map(([path, dept]) => [path, dept]))
  const written: Written[] = []
  let waiting = rows.toSorted((a, b) => a.parsed.order - b.parsed.order || a.row_no - b.row_no)
  for (;;) {
    const ready = waiting.filter(({ parsed }) => above.has(nameKey(parsed.parent_path)))
    if (ready.length === 0) return written
    const drafts = ready.flatMap(({ parsed }) => {
      const parent = above.get(nameKey(parsed.parent_path))
      return parent ? [{ draft: draftOf(parsed, parent, snapshot), parent_id: parent.id, field: '' }] : []
    })
    const made = await openDepts(desk, drafts)
    await desk.db.updateTable('dept').set({ batch_no }).where('school_id', '=', desk.school_id).where(oneOf('id', made.map(({ id }) => id))).execute()
    for (const [at, row] of ready.entries()) {
      const one = made[at]
      if (!one) continue
      above.set(nameKey(row.parsed.path), { id: one.id, dept_name: one.plan.dept_name, grade: one.plan.grade })
      written.push({ row, id: one.id, before: null })
    }
    waiting = waiting.filter(row => !ready.includes(row))
  }
}

/** A new department; a class that says only 1班 gets the word of its grade, as those that the page makes. */
function draftOf({ dept_name, dept_type, grade, enrol_year, class_type: kind, remarks, ...leaders }: ParsedDept, parent: Above, snapshot: DeptSnapshot): DeptDraft {
  const class_no = /^([1-9]\d?)班$/.exec(dept_name)?.[1]
  const name = dept_type === class_type && class_no !== undefined ? className(gradeWord(parent.grade, parent.dept_name), Number(class_no)) : dept_name
  const { head_user_id, vice_user_ids } = leadersOf(leaders, snapshot)
  return {
    dept_name: name, dept_type,
    ...(grade ? { grade } : {}), ...(enrol_year === undefined ? {} : { enrol_year }), ...(kind ? { class_type: kind } : {}), ...(remarks ? { remarks } : {}),
    ...(head_user_id ? { head_user_id } : {}), ...(vice_user_ids ? { vice_user_ids } : {}),
  }
}

type Leaders = Pick<ParsedDept, 'head_no' | 'vice_nos'>

function leadersOf({ head_no, vice_nos }: Leaders, { staff }: DeptSnapshot): { head_user_id?: string | null; vice_user_ids?: string[] } {
  const head = head_no === undefined ? {} : { head_user_id: head_no === null ? null : (staff.get(numberKey(head_no))?.user_id ?? null) }
  return { ...head, ...(vice_nos === undefined ? {} : { vice_user_ids: vice_nos.flatMap(no => staff.get(numberKey(no))?.user_id ?? []) }) }
}

async function changeKnown(desk: DeptDesk, rows: readonly Row[], snapshot: DeptSnapshot): Promise<Written[]> {
  const wanted = rows.flatMap(row => {
    const known = snapshot.by_path.get(nameKey(row.parsed.path))
    return known ? [{ row, known }] : []
  })
  if (wanted.length === 0) return []
  const before = await deptImages(desk.db, desk.school_id, wanted.map(({ known }) => known.id))
  await changeDepts(desk, wanted.map(({ row, known }) => patchOf(row, known, snapshot)))
  return wanted.map(({ row, known }) => ({ row, id: known.id, before: before.get(known.id) ?? null }))
}

function patchOf({ parsed, judgement }: Row, { id, row_version, remarks }: KnownDept, snapshot: DeptSnapshot): DeptChange {
  const changed = new Set(judgement.diff.map(({ prop }) => prop))
  const { head_user_id, vice_user_ids } = leadersOf(parsed, snapshot)
  const emptied = Object.fromEntries([...remarks.keys()].map(field_id => [field_id, null]))
  return {
    id, row_version,
    ...(changed.has('class_type') ? { class_type: parsed.class_type } : {}),
    ...(changed.has('head_no') ? { head_user_id } : {}),
    ...(changed.has('vice_no') ? { vice_user_ids } : {}),
    ...(changed.has('remark') ? { remarks: parsed.remarks ?? emptied } : {}),
  }
}
