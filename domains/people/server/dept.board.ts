import type { BoardClass, BoardGrade, deptEditApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { boardDepts, changeDays, classCounts, leadersOn } from './dept.board.queries.ts'
import type { BoardDept, ClassCount } from './dept.board.queries.ts'
import { deptLabel } from './dept.label.ts'
import { nameFormat } from './dept.queries.ts'
import { visibleRows } from './dept.tree.ts'
import { deptScope } from './scope.ts'

type Leader = Awaited<ReturnType<typeof leadersOn>>[number]
type Facts = { label: (dept: BoardDept) => string; counts: ReadonlyMap<string, ClassCount>; leaders: readonly Leader[] }

const grade_type = 3
const class_type = 4
const deputy = 'vice_head'

/** The board of a day: grades in their order, their classes with head, size and capacity; what the identity may see of it. */
export async function readBoard(ctx: PeopleCtx, query: Input<typeof deptEditApi.treeByGrade>): Promise<Reply<typeof deptEditApi.treeByGrade>> {
  const { db, school_id, me } = ctx
  const on = query.on ?? schoolDay(ctx.now)
  const scope = await deptScope(ctx, 'student', on)
  const rows = visibleRows(await boardDepts(db, school_id, on), scope)
  const counts = await classCounts(db, school_id, on, scope)
  const leaders = await leadersOn(db, school_id, rows.map(row => row.id), on)
  const format = await nameFormat(db, school_id)
  const label = (dept: BoardDept) => deptLabel({ ...dept, is_closed: false }, format, me.dept_is_exact)
  return { list: grades(rows, { label, counts: new Map(counts.map(count => [count.dept_id, count])), leaders }) }
}

/** Days on which the tree has or will have changed, for the slider of the page. */
export async function readDays(ctx: PeopleCtx, { tree }: Input<typeof deptEditApi.days>): Promise<Reply<typeof deptEditApi.days>> {
  const scope = await deptScope(ctx, tree)
  return { list: await changeDays(ctx.db, ctx.school_id, tree, scope) }
}

function grades(rows: readonly BoardDept[], facts: Facts): BoardGrade[] {
  const names = new Map(rows.map(row => [row.id, row.dept_name]))
  const classes = Map.groupBy(rows.filter(row => row.dept_type === class_type), row => row.parent_id)
  return rows.filter(row => row.dept_type === grade_type).map(({ id, row_version, dept_name, stage, grade, enrol_year, parent_id }) => ({
    id,
    row_version,
    dept_name,
    stage,
    pname: parent_id === null ? null : (names.get(parent_id) ?? null),
    grade,
    enrol_year,
    head: leaderOf(id, facts.leaders),
    classes: (classes.get(id) ?? []).map(row => boardClass(row, facts)),
  }))
}

function boardClass(row: BoardDept, { label, counts, leaders }: Facts): BoardClass {
  const { id, row_version, dept_name, class_no, capacity, closed_on } = row
  const { student_count = 0, boys = 0, girls = 0, boarders = 0, kept = 0 } = counts.get(id) ?? {}
  return { id, row_version, dept_name, label: label(row), class_no, capacity, head: leaderOf(id, leaders), student_count, boys, girls, boarders, kept, closed_on }
}

function leaderOf(dept_id: string, leaders: readonly Leader[]): BoardClass['head'] {
  const found = leaders.find(leader => leader.dept_id === dept_id && leader.duty !== deputy)
  return found ? { user_id: found.user_id, user_name: found.user_name } : null
}
