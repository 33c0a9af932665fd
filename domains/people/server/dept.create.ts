import type { Db } from './db.ts'
import { chunks, insertRows } from './bulk.ts'
import { oneOf, validOn } from './dated.ts'

/** A department to be made. `key` is the caller's own name for it; `parent` a key of an earlier row or the id of a department. */
export type NewDept = {
  key: string
  parent: string | null
  dept_name: string
  dept_type: number
  tree: 'student' | 'staff' | 'both'
  stage?: string | null
  grade?: string | null
  enrol_year?: number | null
  class_no?: number | null
  class_type?: string | null
  capacity?: number | null
  code?: string | null
  name_auto?: boolean
  /** default: its place among the siblings of the same call */
  show_order?: number
}

type Placed = { id: string; node_path: string; pt_node_path_name: string }

/**
 * Makes departments in bulk, parents before children, all valid from the day `on`.
 * @returns the id of every key
 * @throws Error when a parent is neither an earlier key nor a department on that day
 */
export async function createDepts(db: Db, school_id: number, rows: readonly NewDept[], on: string): Promise<Map<string, string>> {
  const ids = await insertDepts(db, school_id, rows, on)
  const placed = await findParents(db, school_id, rows, on)
  const versions = rows.map((row, at) => {
    const here = place(row, ids[at] ?? '', placed)
    placed.set(row.key, here)
    return versionRow(school_id, row, here, { on, show_order: row.show_order ?? orderAmong(rows, at), parent: row.parent === null ? undefined : placed.get(row.parent) })
  })
  await insertRows(db, 'dept_version', versions)
  return new Map(rows.map((row, at) => [row.key, ids[at] ?? '']))
}

async function insertDepts(db: Db, school_id: number, rows: readonly NewDept[], on: string): Promise<string[]> {
  const ids: string[] = []
  for (const part of chunks(rows)) {
    const values = part.map(row => ({
      school_id,
      dept_type: row.dept_type,
      tree: row.tree,
      stage: row.stage ?? null,
      enrol_year: row.enrol_year ?? null,
      class_no: row.class_no ?? null,
      class_type: row.class_type ?? null,
      capacity: row.capacity ?? null,
      code: row.code ?? null,
      name_auto: row.name_auto ?? true,
      opened_on: on,
    }))
    const made = await db.insertInto('dept').values(values).returning('id').execute()
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}

async function findParents(db: Db, school_id: number, rows: readonly NewDept[], on: string): Promise<Map<string, Placed>> {
  const keys = new Set(rows.map(row => row.key))
  const wanted = [...new Set(rows.flatMap(row => (row.parent !== null && !keys.has(row.parent) ? [row.parent] : [])))]
  if (wanted.length === 0) return new Map()
  const found = await db
    .selectFrom('dept_version as v')
    .select(['v.dept_id as id', 'v.node_path', 'v.pt_node_path_name'])
    .where('v.school_id', '=', school_id)
    .where(oneOf('v.dept_id', wanted))
    .where(validOn('v', on))
    .execute()
  return new Map(found.map(dept => [dept.id, dept]))
}

function place(row: NewDept, id: string, placed: ReadonlyMap<string, Placed>): Placed {
  if (row.parent === null) return { id, node_path: `/${id}/`, pt_node_path_name: row.dept_name }
  const parent = placed.get(row.parent)
  if (!parent) throw new Error(`department ${row.dept_name} stands under ${row.parent}, which is neither an earlier key nor a department`)
  return { id, node_path: `${parent.node_path}${id}/`, pt_node_path_name: `${parent.pt_node_path_name}/${row.dept_name}` }
}

function versionRow(school_id: number, row: NewDept, here: Placed, more: { on: string; show_order: number; parent: Placed | undefined }) {
  return {
    school_id,
    dept_id: here.id,
    valid_from: more.on,
    parent_id: more.parent?.id ?? null,
    dept_name: row.dept_name,
    grade: row.grade ?? null,
    show_order: more.show_order,
    node_path: here.node_path,
    pt_node_path_name: here.pt_node_path_name,
  }
}

function orderAmong(rows: readonly NewDept[], at: number): number {
  return rows.slice(0, at + 1).filter(row => row.parent === rows[at]?.parent).length
}
