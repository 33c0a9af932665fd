import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>

/** What the platform asks of the registry; `keyword` is part of a name or a whole number. */
export type RegistryFilter = { keyword?: string; school_type?: number; state?: number; page_index: number; page_size: number }

/** Enters a new school, in the transaction that makes it. */
export async function enterRegistry(db: Db, school: { school_id: number; school_name: string; school_type: number; state: number }): Promise<void> {
  await db.insertInto('school_registry').values(school).execute()
}

/** Keeps the name as the school has it now. */
export async function renameInRegistry(db: Db, school_id: number, school_name: string): Promise<void> {
  await db.updateTable('school_registry').set({ school_name }).where('school_id', '=', school_id).execute()
}

/** Keeps the state as the school has it now, and since when. */
export async function moveInRegistry(db: Db, school_id: number, state: number, state_at: Date): Promise<void> {
  await db.updateTable('school_registry').set({ state, state_at }).where('school_id', '=', school_id).execute()
}

/** One page of the schools of the installation, by number. */
export async function pageRegistry(db: Db, { keyword = '', school_type, state, page_index, page_size }: RegistryFilter) {
  const word = keyword.trim().toLowerCase()
  let lines = db.selectFrom('school_registry')
  if (word !== '') lines = lines.where(eb => eb.or([sql<boolean>`position(${word} in lower(school_name)) > 0`, sql<boolean>`school_id::text = ${word}`]))
  if (school_type !== undefined) lines = lines.where('school_type', '=', school_type)
  if (state !== undefined) lines = lines.where('state', '=', state)
  const { total } = await lines.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const list = await lines
    .select(['school_id', 'school_name', 'school_type', 'state', 'state_at'])
    .orderBy('school_id')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
  return { list, total: Number(total) }
}

/** The number after the highest there is. */
export async function nextSchoolId(db: Db): Promise<number> {
  const { highest } = await db.selectFrom('school_registry').select(eb => eb.fn.max('school_id').as('highest')).executeTakeFirstOrThrow()
  return (highest ?? 0) + 1
}
