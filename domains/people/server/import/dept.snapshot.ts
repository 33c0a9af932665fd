import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { leadersOn } from '../dept.board.queries.ts'
import { remarksOf } from '../remark/remark.queries.ts'
import { visibleDepts } from '../scope.ts'
import { normalPath, pathBelow, readDeptWords } from './dept.parsed.ts'
import type { DeptWords, ParsedDept } from './dept.parsed.ts'

/** A department that is open today and lies in the importer's scope. */
export type KnownDept = Awaited<ReturnType<typeof openDeptsOn>>[number] & { path: string; leaders: Awaited<ReturnType<typeof leadersOn>>; remarks: ReadonlyMap<string, string> }

/** What the database holds about a piece of the sheet, and which departments the piece itself makes. */
export type DeptSnapshot = {
  words: DeptWords
  /** by `nameKey` of the path */
  by_path: ReadonlyMap<string, KnownDept>
  planned: ReadonlyMap<string, ParsedDept>
  /** staff at work by number */
  staff: ReadonlyMap<string, { user_id: string; user_name: string }>
}

/** Reads the open departments of the scope, with leaders and remarks of those the piece names. */
export async function loadDepts(step: ReadStep<PeopleDb>, rows: readonly ParsedRow<ParsedDept>[]): Promise<DeptSnapshot> {
  const { db, school_id } = step
  const today = schoolDay(step.now)
  const words = await readDeptWords(step)
  const parsed = rows.map(row => row.parsed)
  const named = new Set(parsed.map(row => nameKey(row.path)))
  const scopes = { student: await visibleDepts(step, 'student', today), staff: await visibleDepts(step, 'staff', today) }
  const open = (await openDeptsOn(db, school_id, today))
    .filter(({ id, tree }) => [scopes[tree === 'staff' ? 'staff' : 'student']].every(scope => scope === 'all' || scope.includes(id)))
    .map(dept => ({ ...dept, path: pathOf(dept, words.root) }))
  const ids = open.filter(dept => named.has(nameKey(dept.path))).map(dept => dept.id)
  const leaders = Map.groupBy(await leadersOn(db, school_id, ids, today), leader => leader.dept_id)
  const remarks = Map.groupBy(await remarksOf(db, school_id, ids), row => row.dept_id)
  const known = open.map(dept => ({ ...dept, leaders: leaders.get(dept.id) ?? [], remarks: new Map((remarks.get(dept.id) ?? []).map(row => [row.field_id, row.value])) }))
  const nos = parsed.flatMap(row => [...(row.head_no ? [row.head_no] : []), ...(row.vice_nos ?? [])])
  return { words, by_path: new Map(known.map(dept => [nameKey(dept.path), dept])), planned: new Map(parsed.map(row => [nameKey(row.path), row])), staff: await staffBy(db, school_id, nos, today) }
}

function pathOf({ parent_id, pt_node_path_name, dept_name, dept_type }: Awaited<ReturnType<typeof openDeptsOn>>[number], root: string): string {
  if (parent_id === null) return ''
  return pathBelow(normalPath(pt_node_path_name.split('/').slice(0, -1).join('/'), root), dept_name, dept_type)
}

/** Departments that are open on a day and for which no end is planned. */
function openDeptsOn(db: Db, school_id: number, on: string) {
  return db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['d.id', 'd.dept_type', 'd.tree', 'd.enrol_year', 'd.class_type', 'd.row_version', 'v.parent_id', 'v.dept_name', 'v.grade', 'v.pt_node_path_name'])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('d.closed_on', 'is', null)
    .where(validOn('v', on))
    .execute()
}

async function staffBy(db: Db, school_id: number, nos: readonly string[], on: string): Promise<Map<string, { user_id: string; user_name: string }>> {
  if (nos.length === 0) return new Map()
  const { rows } = await sql<{ teacher_no: string; user_id: string; user_name: string }>`
    select s.teacher_no_lower as teacher_no, s.user_id, p.user_name from staff s
    join person p on p.school_id = s.school_id and p.user_id = s.user_id
    join staff_span t on t.school_id = s.school_id and t.user_id = s.user_id and ${validOn('t', on)}
    where s.school_id = ${school_id} and p.school_id = ${school_id} and t.school_id = ${school_id} and p.status = 'live' and s.teacher_no_lower = any(${[...new Set(nos.map(numberKey))]}::text[])`.execute(db)
  return new Map(rows.map(({ teacher_no, ...person }) => [teacher_no, person]))
}
