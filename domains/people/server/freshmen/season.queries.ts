import { FreshmenSeason, freshman_states } from '@campus/people/contract'
import { sql } from 'kysely'
import type { Insertable, Updateable } from 'kysely'
import { z } from 'zod'
import type { Db, PeopleDb } from '../db.ts'
import { formFields } from './season.fields.ts'

const stored = FreshmenSeason.pick({ form_fields: true, materials: true, class_plan: true, number_rule: true, stage: true, state: true, dup_policy: true, review_levels: true })
const columns = [
  'id', 'register_key', 'school_year', 'stage', 'state', 'open_at', 'close_at', 'quota', 'form_fields', 'materials', 'min_birthday', 'max_birthday', 'dup_policy', 'review_levels', 'import_passed', 'class_plan', 'number_rule', 'next_number',
  'lottery_seed_hash', 'lottery_seed', 'row_version',
] as const

type Stored = Awaited<ReturnType<typeof readRows>>[number]
/** A season as it stands in the database, its parts read. */
export type Season = Omit<Stored, keyof z.output<typeof stored>> & z.output<typeof stored>

function readRows(db: Db, school_id: number) {
  return rowsOf(db, school_id).execute()
}
function rowsOf(db: Db, school_id: number) {
  return db.selectFrom('freshmen_season').select(columns).where('school_id', '=', school_id)
}

function seasonOf(row: Stored): Season {
  const read = stored.parse(row)
  return { ...row, ...read, form_fields: formFields(read.form_fields) }
}

/** Every season, the latest first. */
export async function readSeasons(db: Db, school_id: number): Promise<Season[]> {
  const rows = await rowsOf(db, school_id).orderBy('school_year', 'desc').orderBy('stage').execute()
  return rows.map(seasonOf)
}

/** One season, or nothing; `lock` keeps it until the transaction ends. */
export async function findSeason(db: Db, school_id: number, id: string, use: 'read' | 'lock' = 'read'): Promise<Season | null> {
  const query = rowsOf(db, school_id).where('id', '=', id)
  const row = await (use === 'lock' ? query.forUpdate() : query).executeTakeFirst()
  return row ? seasonOf(row) : null
}

/** The season behind the secret of a public address. */
export async function seasonByKey(db: Db, school_id: number, register_key: string): Promise<Season | null> {
  const row = await rowsOf(db, school_id).where('register_key', '=', register_key).where('state', '<>', 'draft').executeTakeFirst()
  return row ? seasonOf(row) : null
}

export async function insertSeason(db: Db, row: Insertable<PeopleDb['freshmen_season']>): Promise<string> {
  const { id } = await db.insertInto('freshmen_season').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateSeason(db: Db, school_id: number, id: string, change: Updateable<PeopleDb['freshmen_season']>): Promise<void> {
  await db.updateTable('freshmen_season').set({ ...change, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

const Counts = z.record(z.enum(freshman_states), z.number().int())
/** How many applications each season has in each state. */
export async function countStates(db: Db, school_id: number): Promise<Map<string, z.output<typeof Counts>>> {
  const rows = await db.selectFrom('freshmen_apply').select(['season_id', 'state', eb => eb.fn.countAll<string>().as('count')]).where('school_id', '=', school_id).groupBy(['season_id', 'state']).execute()
  const by_season = Map.groupBy(rows, row => row.season_id)
  return new Map([...by_season].map(([season_id, list]) => [season_id, countsOf(list)]))
}

/** Counts by state; states without applications count 0. */
export function countsOf(list: readonly { state: string; count: string }[]): z.output<typeof Counts> {
  return Counts.parse(Object.fromEntries(freshman_states.map(state => [state, Number(list.find(row => row.state === state)?.count ?? 0)])))
}
