import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import type { EffectPlan } from './effect-port.ts'

/** What identity ended of these people, as the receipt line keeps it for an undo. */
export const EndedUsers = z.array(
  z.object({
    user_id: z.string(),
    off_at: z.string(),
    roles: z.array(z.object({ role_no: z.string(), valid_to: z.string().nullable() })),
    binds: z.array(z.object({ provider: z.string(), external_id: z.string(), user_id: z.string(), bound_at: z.string(), bound_by: z.string().nullable() })).default([]),
  }),
)

type Fragment = ReturnType<typeof sql>
/** Column of the person, what ends, and which rows besides. */
type Ending = { whose: Fragment; changes: Fragment; also?: Fragment }

/** Ends the rows of these people that reach beyond the day; one that begins on the very day never was (rule 1). */
export async function endRows({ db, school_id, subjects, effective_on }: EffectPlan, table: string, { whose, changes, also = sql`true` }: Ending): Promise<void> {
  const own = sql`school_id = ${school_id} and ${whose} = any(${subjects.map(subject => subject.user_id)}::bigint[]) and ${also}`
  await sql`update ${sql.table(table)} set ${changes} where ${own} and valid_from < ${effective_on}::date and (valid_to is null or valid_to > ${effective_on}::date)`.execute(db)
  await sql`delete from ${sql.table(table)} where ${own} and valid_from >= ${effective_on}::date`.execute(db)
}

/** Those of the command who are not here as somebody else besides: `kinds` of PERSON_KIND that keep an account. */
export async function withoutOthers({ db, school_id, subjects }: EffectPlan, kinds: readonly number[]): Promise<string[]> {
  const ids = subjects.map(subject => subject.user_id)
  const { rows } = await sql<{ user_id: string }>`
    select p.user_id from live_person p where p.school_id = ${school_id} and p.person_kind = any(${[...kinds]}::int[]) and ${oneOf('p.user_id', ids)}`.execute(db)
  const others = new Set(rows.map(row => row.user_id))
  return ids.filter(id => !others.has(id))
}
