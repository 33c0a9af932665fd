import type { GuardianBrief, StudentRow, studentApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { labelsOn } from './dept.service.ts'
import { deptScope } from './scope.ts'
import { extOf } from './field/roll.ts'
import { photoUrl } from './photo/photo-url.ts'
import type { DeptScope } from './scope.ts'
import { untaggedFilter } from './student.filter.ts'
import type { PupilQuery, RosterDesk } from './student.filter.ts'
import { guardiansOf, pagePupils } from './student.queries.ts'
import type { PupilFilter } from './student.queries.ts'
import { hasTag, tagsOf } from './student.tags.ts'

export type { PupilQuery, RosterDesk } from './student.filter.ts'

type Query = Input<typeof studentApi.list>
type Guardian = Awaited<ReturnType<typeof guardiansOf>>[number]

/** The roll of a day (default today): pupils in school, or in the asked state, with masked numbers and their guardians. */
export async function listStudents(ctx: PeopleCtx, query: Query): Promise<Reply<typeof studentApi.list>> {
  const on = query.on ?? schoolDay(ctx.now)
  const filter = await pupilFilter(ctx, await deptScope(ctx, 'student', on), query, on)
  if (!filter) return { list: [], total: 0 }
  const { rows, total } = await pagePupils(ctx.db, filter, query.sort ?? 'student_no', query)
  return { list: await studentRows(ctx, rows, on), total }
}

/** Pupils as the list shows them: masked numbers, guardians, class labels of the day. */
export async function studentRows(ctx: RosterDesk, rows: Awaited<ReturnType<typeof pagePupils>>['rows'], on: string): Promise<StudentRow[]> {
  const user_ids = rows.map(row => row.user_id)
  const [guardians, labels, tags, custom] = await Promise.all([
    rows.length === 0 ? [] : guardiansOf(ctx.db, ctx.school_id, user_ids, on),
    labelsOn(ctx, rows.flatMap(row => row.dept_id ?? []), on),
    tagsOf(ctx, user_ids, on),
    extOf(ctx, 'student', user_ids),
  ])
  const by_child = Map.groupBy(guardians, guardian => guardian.student_user_id)
  return rows.map(row => ({ ...toRow(row, by_child.get(row.user_id) ?? [], labels), photo_url: photoUrl(ctx, row.photo_file_key), tags: tags.get(row.user_id) ?? [], ext: custom.get(row.user_id) ?? {} }))
}

/** Null when the asked department did not exist on that day: nobody was in it. */
export async function pupilFilter(desk: RosterDesk, scope: DeptScope, query: PupilQuery, on: string): Promise<PupilFilter | null> {
  const filter = await untaggedFilter(desk, scope, query, on)
  if (!filter || query.tag_ids === undefined) return filter
  return { ...filter, tagged: await hasTag(desk, query.tag_ids, on) }
}

function toRow(row: Awaited<ReturnType<typeof pagePupils>>['rows'][number], guardians: readonly Guardian[], labels: ReadonlyMap<string, string>): Omit<StudentRow, 'tags' | 'photo_url' | 'ext'> {
  return {
    user_id: row.user_id,
    user_serial: row.user_id,
    user_name: row.user_name,
    user_no: row.student_no,
    student_no: row.student_no,
    dept_id: row.dept_id,
    dept_name: row.dept_id === null ? null : (labels.get(row.dept_id) ?? null),
    grade: row.grade,
    sex: row.sex,
    id_type: row.id_type,
    id_no: row.id_no_mask,
    study_method: row.study_method,
    state: row.state,
    state_until: row.state_until,
    parents: guardians.map(guardianBrief),
    completeness: row.completeness,
    row_version: row.row_version,
    updated_at: row.updated_at.toISOString(),
  }
}

function guardianBrief({ user_id, user_name, relation, mobile, is_first, is_guardian }: Guardian): GuardianBrief {
  return { user_id, user_name, relation, mobile: mobile === null ? null : maskMobile(mobile), is_first, is_guardian }
}
