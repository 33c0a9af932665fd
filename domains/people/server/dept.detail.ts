import type { DeptFile, deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import { leadersOn } from './dept.board.queries.ts'
import { versionsOf } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { deptLabel } from './dept.label.ts'
import { nameFormat, labelVersions } from './dept.queries.ts'
import { remarksOf } from './remark/remark.queries.ts'
import { holds } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'

/** A department as it is today with its history; one that is closed as it was last, one that opens later as it will be first. */
export async function readDept(ctx: PeopleCtx, { school_id, id }: Input<typeof deptEditApi.detail>): Promise<DeptFile> {
  requireOwnSchool(ctx, school_id)
  const dept = (await requireDepts(ctx, seerOf(ctx), [id])).get(id)
  const versions = await versionsOf(ctx.db, school_id, [id])
  const today = schoolDay(ctx.now)
  const shown = versions.find(version => holds(version, today)) ?? (versions[0] && versions[0].valid_from > today ? versions[0] : versions.at(-1))
  if (!dept || !shown) throw fail(commonErrors.notFound)
  const on = holds(shown, today) ? today : shown.valid_from
  const leaders = (await leadersOn(ctx.db, school_id, [id], on)).map(({ duty, user_id, user_name }) => ({ duty, staff: { user_id, user_name } }))
  const vices = leaders.filter(({ duty }) => duty === 'vice_head').map(({ staff }) => staff)
  const head = leaders.find(({ duty }) => duty !== 'vice_head')?.staff ?? null
  const remarks = Object.fromEntries((await remarksOf(ctx.db, school_id, [id])).map(row => [row.field_id, row.value]))
  return { ...wireFacts(dept), ...(await wirePlace(ctx, dept, shown, { on, today })), head, vices, remarks, versions: versions.map(wireVersion) }
}

type Facts = 'id' | 'row_version' | 'dept_type' | 'tree' | 'stage' | 'enrol_year' | 'class_no' | 'class_type' | 'capacity' | 'code' | 'opened_on' | 'closed_on'

function wireFacts({ id, row_version, dept_type, tree, stage, enrol_year, class_no, class_type, capacity, code, opened_on, closed_on }: DeptFacts): Pick<DeptFile, Facts> {
  const side = tree === 'staff' || tree === 'both' ? tree : 'student'
  return { id, row_version, dept_type, tree: side, stage, enrol_year, class_no, class_type, capacity, code, opened_on, closed_on }
}

async function wirePlace({ db, school_id, me }: PeopleCtx, dept: DeptFacts, shown: Version, { on, today }: { on: string; today: string }) {
  const { parent_id, dept_name, grade } = shown
  const [parent] = parent_id === null ? [] : await labelVersions(db, school_id, [parent_id], on)
  const is_closed = dept.closed_on !== null && dept.closed_on <= today
  const label = deptLabel({ ...dept, ...shown, is_closed }, await nameFormat(db, school_id), me.dept_is_exact)
  return { parent_id, pname: parent?.dept_name ?? null, dept_name, grade, label }
}

function wireVersion({ valid_from, valid_to, dept_name, pt_node_path_name, grade }: Version) {
  return { valid_from, valid_to, dept_name, pt_node_path_name, grade }
}
