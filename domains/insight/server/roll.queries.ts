import { countPupils, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Whose rows are counted: those of the day inside the scope. */
export type Asked = { school_id: number; on: string; scope: DeptScope }

/** Pupils in school. */
export type RollCount = { total: number; boys: number; girls: number; boarders: number }

const boarder = '2'

/** How many pupils are in school, and how many of them are boys, girls, boarders. */
export function rollCount(db: Db, { school_id, scope }: Asked): Promise<RollCount> {
  const those = (column: 'sex' | 'study_method', code: string) => sql<number>`(count(*) filter (where ${sql.ref(column)} = ${code}))::int`
  return db
    .selectFrom('live_student')
    .select(sql<number>`count(*)::int`.as('total'))
    .select([those('sex', '1').as('boys'), those('sex', '2').as('girls'), those('study_method', boarder).as('boarders')])
    .where('school_id', '=', school_id)
    .where(inScope('dept_id', scope))
    .executeTakeFirstOrThrow()
}

/** Pupils kept on the roll without being in school, by state. */
export function keptCounts(db: Db, { school_id, scope }: Asked): Promise<{ state: string; total: number }[]> {
  return db
    .selectFrom('kept_student')
    .select(['state', sql<number>`count(*)::int`.as('total')])
    .where('school_id', '=', school_id)
    .where(inScope('dept_id', scope))
    .groupBy('state')
    .execute()
}

/** Pupils in school whose file lacks something: counted by the roll's own filter, so that its list shows as many. */
export async function missingCounts(db: Db, asked: Asked): Promise<Record<'guardian' | 'id_no' | 'photo', number>> {
  const of = (missing: 'guardian' | 'id_no' | 'photo') => countPupils(asTables(db), { ...asked, missing: [missing] })
  return { guardian: await of('guardian'), id_no: await of('id_no'), photo: await of('photo') }
}

/** The school's way of printing departments, 1–4. */
export async function nameFormat(db: Db, school_id: number): Promise<number> {
  const found = await db.selectFrom('school_config_v').select('dept_name_format').where('school_id', '=', school_id).executeTakeFirst()
  return found?.dept_name_format ?? 1
}

/** 1 school, 2 enterprise. */
export async function schoolType(db: Db, school_id: number): Promise<number> {
  const found = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirst()
  return found?.school_type ?? 1
}
