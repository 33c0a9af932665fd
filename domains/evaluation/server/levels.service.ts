import { dayReached, level_names } from '@campus/evaluation/contract'
import type { Given } from '@campus/evaluation/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Work } from './db.ts'
import { notifyLevels } from './notify.ts'
import { counts } from './worth.ts'

type Place = Pick<Work, 'db' | 'school_id'>
type Type = { star_type_id: string; star_name: string; subject_kind: number; decay: number; half_life_days: number | null; level_cuts: number[] }
type Key = { star_type_id: string; subject_id: string }
type Held = Key & { level: number; cut: number; valid_from: string }
type Star = Key & Given
/** A level that was reached just now. */
type Reached = Pick<Type, 'star_type_id' | 'star_name' | 'subject_kind'> & { subject_id: string; level: number }
/** Which levels are looked at; without `subject_ids` those of everybody who has stars of the types. */
type Asked = { star_type_ids?: readonly string[]; subject_ids?: readonly string[] }

const keyOf = ({ star_type_id, subject_id }: Key): string => `${star_type_id}/${subject_id}`

/**
 * Brings levels in line with the stars in force: the day on which each was reached first, by the cut that it took then; one that a revoked
 * star carried is taken back. Indicators without cuts have no levels. @returns those that are new
 */
export async function settleLevels(place: Place, { star_type_ids, subject_ids }: Asked): Promise<Reached[]> {
  const { db, school_id } = place
  const types = await lockTypes(place, star_type_ids)
  if (types.length === 0) return []
  const which = (alias: string) => sql`${sql.ref(`${alias}.star_type_id`)} = any(${types.map(one => one.star_type_id)}::bigint[])
    and ${subject_ids === undefined ? sql`true` : sql`${sql.ref(`${alias}.subject_id`)} = any(${[...subject_ids]}::bigint[])`}`
  const stars = Map.groupBy(await readStars(place, which('r')), keyOf)
  const { rows } = await sql<Held>`
    select l.star_type_id::text as star_type_id, l.subject_id::text as subject_id, l.level::int as level, l.cut,
      l.valid_from::text as valid_from
    from star_level l where l.school_id = ${school_id} and ${which('l')}`.execute(db)
  const held = Map.groupBy(rows, keyOf)
  const reached: (Reached & Held)[] = []
  for (const type of types) {
    const own = [...new Set([...stars.keys(), ...held.keys()])].filter(key => key.startsWith(`${type.star_type_id}/`))
    for (const key of own) reached.push(...(await settleOne(place, type, key, stars.get(key) ?? [], held.get(key) ?? [])))
  }
  await insertMany(db, 'star_level', reached.map(({ star_name: _star_name, ...row }) => ({ school_id, ...row })), {
    columns: ['school_id', 'star_type_id', 'subject_id', 'level'], set: ['cut', 'valid_from'],
  })
  return reached.filter(one => !held.get(keyOf(one))?.some(before => before.level === one.level))
}

/** Two who give at once do not both miss what they reach together: the second waits for the first. */
async function lockTypes({ db, school_id }: Place, star_type_ids: readonly string[] | undefined): Promise<Type[]> {
  const { rows } = await sql<Type>`
    select t.star_type_id::text as star_type_id, t.star_name, t.subject_kind::int as subject_kind, t.decay::int as decay,
      t.half_life_days::int as half_life_days, t.level_cuts
    from star_type t where t.school_id = ${school_id} and t.sign = 1 and cardinality(t.level_cuts) > 0
      and ${star_type_ids === undefined ? sql`true` : sql`t.star_type_id = any(${[...star_type_ids]}::bigint[])`}
    order by t.star_type_id for update`.execute(db)
  return rows
}

async function readStars({ db, school_id }: Place, which: RawBuilder<unknown>): Promise<Star[]> {
  const { rows } = await sql<Star>`
    select r.star_type_id::text as star_type_id, r.subject_id::text as subject_id, r.record_date::text as day, r.milli,
      r.term_end::text as term_end
    from star_record r where r.school_id = ${school_id} and r.milli > 0 and ${counts} and ${which}`.execute(db)
  return rows
}

/** The levels of one subject and indicator: writes what is taken back, @returns what is to be written. */
async function settleOne(
  { db, school_id }: Place, type: Type, key: string, stars: readonly Star[], held: readonly Held[],
): Promise<(Reached & Held)[]> {
  const { star_type_id, star_name, subject_kind, level_cuts } = type
  const subject_id = key.slice(star_type_id.length + 1)
  const rows: (Reached & Held)[] = []
  for (const [at, cut] of [1, ...level_cuts].entries()) {
    const level = at + 1
    const before = held.find(one => one.level === level)
    const found = [before?.cut, cut].flatMap(needed => {
      const valid_from = needed === undefined ? null : dayReached(stars, type, needed)
      return needed === undefined || valid_from === null ? [] : [{ cut: needed, valid_from }]
    })[0]
    if (found && (before?.valid_from !== found.valid_from || before.cut !== found.cut))
      rows.push({ star_type_id, star_name, subject_kind, subject_id, level, ...found })
    if (!found && before)
      await db.deleteFrom('star_level').where('school_id', '=', school_id).where('star_type_id', '=', star_type_id)
        .where('subject_id', '=', subject_id).where('level', '=', level).execute()
  }
  return rows
}

/** After new stars of an indicator: families hear of silver and gold (the first star is its own message). */
export async function followLevels(work: Work, star_type_id: string, subject_ids: readonly string[], ref: string): Promise<void> {
  const reached = await settleLevels(work, { star_type_ids: [star_type_id], subject_ids })
  for (const [level, own] of Map.groupBy(reached, one => one.level)) {
    const name = level_names[level]
    if (level > 1 && name !== undefined) await notifyLevels(work, own, { ref: `${ref}:${level}`, name })
  }
}
