import type { Db } from './db.ts'

/** Who used a place and who will, latest first. */
export async function readUses(db: Db, school_id: number, place_id: string) {
  const rows = await db
    .selectFrom('place_dept as h')
    .leftJoin('dept_now as d', join => join.onRef('d.school_id', '=', 'h.school_id').onRef('d.id', '=', 'h.dept_id'))
    .select(['h.dept_id', 'd.dept_name', 'h.valid_from', 'h.valid_to'])
    .where('h.school_id', '=', school_id)
    .where('h.place_id', '=', place_id)
    .orderBy('h.valid_from', 'desc')
    .orderBy('h.id', 'desc')
    .execute()
  return rows.map(({ dept_name, ...row }) => ({ ...row, dept_name: dept_name ?? '已关闭的班级' }))
}

export type Home = { id: string; place_id: string; dept_id: string; valid_from: string; valid_to: string | null }

/** Homes of classes or in places that hold on a day or begin later. */
export function homesFrom(db: Db, school_id: number, which: { column: 'place_id' | 'dept_id'; ids: readonly string[] }, on: string): Promise<Home[]> {
  return db
    .selectFrom('place_dept')
    .select(['id', 'place_id', 'dept_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('use_kind', '=', 'home')
    .where(which.column, 'in', which.ids)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', on)]))
    .orderBy('valid_from')
    .execute()
}

/** Ends homes on a day; what would only begin then or later goes. */
export async function endThese(db: Db, school_id: number, homes: readonly Home[], on: string): Promise<void> {
  for (const { id, valid_from } of homes) {
    const own = <T extends { where(column: 'school_id' | 'id', op: '=', value: number | string): T }>(query: T) => query.where('school_id', '=', school_id).where('id', '=', id)
    if (valid_from >= on) await own(db.deleteFrom('place_dept')).execute()
    else await own(db.updateTable('place_dept').set({ valid_to: on })).execute()
  }
}

/** Classes that stand today, with the grade they belong to, in the order of the tree. */
export function readClasses(db: Db, school_id: number) {
  return db
    .selectFrom('dept_now')
    .select(['id', 'dept_name', 'parent_id', 'grade', 'class_no', 'pt_node_path_name'])
    .where('school_id', '=', school_id)
    .where('dept_type', '=', 4)
    .orderBy('grade')
    .orderBy('class_no')
    .orderBy('id')
    .execute()
}
