import { target } from '@campus/publishing/contract'
import type { AudienceLine } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Work } from '../db.ts'
import { deptsBelow } from '../depts.ts'

/** Every line of an audience names something of this school that fits the scene. @throws Refusal 404 */
export async function checkTargets(work: Pick<Work, 'db' | 'school_id'>, scene: number, audience: readonly AudienceLine[]): Promise<void> {
  const { school_id } = work
  const idsOf = (type: number) => [...new Set(audience.filter(line => line.target_type === type).map(line => line.target_id))]
  await deptsBelow(work, idsOf(target.dept))
  await requireAll(work, idsOf(target.crowd), sql`publishing_crowd x where x.school_id = ${school_id} and x.scene = ${scene}`, sql`x.crowd_id`)
  await requireAll(work, idsOf(target.tag), sql`person_tag_now x where x.school_id = ${school_id}`, sql`x.tag_id`)
  await requireAll(work, idsOf(target.person), sql`person_label x where x.school_id = ${school_id}`, sql`x.user_id`)
}

async function requireAll({ db }: Pick<Work, 'db'>, ids: readonly string[], from: RawBuilder<unknown>, column: RawBuilder<unknown>): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ n: number }>`select count(distinct ${column})::int as n from ${from} and ${column} = any(${[...ids]}::bigint[])`.execute(db)
  if ((rows[0]?.n ?? 0) < ids.length) throw fail(commonErrors.notFound)
}
