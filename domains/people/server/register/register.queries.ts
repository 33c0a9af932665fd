import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Updateable } from 'kysely'
import type { Db, PeopleDb } from '../db.ts'

const columns = ['register_key', 'is_register', 'open_register_end_time', 'register_msg', 'is_teacher_register', 'open_teacher_register_end_time', 'teacher_register_msg', 'row_version'] as const

/** The switches of a school, or nothing before they were ever used. */
export function findRegister(db: Db, school_id: number) {
  return db.selectFrom('open_register').select(columns).where('school_id', '=', school_id).executeTakeFirst()
}
export type RegisterRow = NonNullable<Awaited<ReturnType<typeof findRegister>>>

/** The same, made if it is not there, and kept until the transaction ends. */
export async function lockRegister(db: Db, school_id: number): Promise<RegisterRow> {
  const register_key = randomBytes(16).toString('hex')
  await db.insertInto('open_register').values({ school_id, register_key, row_version: 0 }).onConflict(on => on.doNothing()).execute()
  return db.selectFrom('open_register').select(columns).where('school_id', '=', school_id).forUpdate().executeTakeFirstOrThrow()
}

/** Saves switches; who had read an older version is refused by the caller. */
export async function writeRegister(db: Db, school_id: number, change: Updateable<PeopleDb['open_register']>): Promise<void> {
  await db.updateTable('open_register').set({ ...change, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).execute()
}

/** What a school has set of the fields of a scene. */
export function readFields(db: Db, school_id: number, field_scene: number) {
  return db.selectFrom('register_field').select(['field_code', 'shown', 'required', 'order_no']).where('school_id', '=', school_id).where('field_scene', '=', field_scene).execute()
}

/** How many entries wait for somebody. */
export async function countWaiting(db: Db, school_id: number): Promise<number> {
  const { count } = await db.selectFrom('register_entry').select(eb => eb.fn.countAll<string>().as('count')).where('school_id', '=', school_id).where('state', '=', 'waiting').executeTakeFirstOrThrow()
  return Number(count)
}
