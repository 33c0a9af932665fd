import { sql } from 'kysely'
import { oneOf } from './dated.ts'
import type { Db } from './db.ts'

/** Departments an edit writes to: `whole` with their parents and everything below them, `alone` by themselves. */
export type LockedDepts = { whole: readonly string[]; alone: readonly string[] }

/**
 * Locks what an edit of the tree writes to, after the people (chapter 20 rule 2). The root comes first, so that two edits of one tree
 * follow each other: both would write the paths below. Reordering takes the parent alone, therefore parents are locked here too.
 */
export async function lockTree(db: Db, school_id: number, { whole, alone }: LockedDepts): Promise<void> {
  await sql`
    select d.id from dept d
    where d.school_id = ${school_id} and d.id in (select v.dept_id from dept_version v where v.school_id = ${school_id} and v.parent_id is null)
    order by d.id for update`.execute(db)
  await sql`
    select d.id from dept d
    where d.school_id = ${school_id} and (${oneOf('d.id', [...whole, ...alone])}
      or d.id in (select v.parent_id from dept_version v where v.school_id = ${school_id} and ${oneOf('v.dept_id', whole)})
      or d.id in (
        select v.dept_id from dept_version v join unnest(${[...whole]}::bigint[]) w(id) on strpos(v.node_path, '/' || w.id || '/') > 0
        where v.school_id = ${school_id}))
    order by d.id for update`.execute(db)
}

/** Locks one department until the transaction ends. @returns whether the school has it */
export async function lockParent(db: Db, school_id: number, id: string): Promise<boolean> {
  const found = await db.selectFrom('dept').select('id').where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
  return found !== undefined
}
