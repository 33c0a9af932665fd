import { archiveAll } from '@campus/audit/server'
import type { ArchiveRow } from '@campus/audit/server'
import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { DeptDesk, PeopleCtx } from '../db.ts'
import { operatorOf } from '../operator.ts'
import { visibleDepts } from '../scope.ts'

type Reached = { id: string; from_user_id: string }

/**
 * Departments among these that the acting identity reaches only by a delegation, with the person for whom it acts there (chapter 20 rule 26).
 * What he would see without it is his own.
 */
async function reachedByDelegation(ctx: DeptDesk, dept_ids: readonly string[]): Promise<Map<string, string>> {
  const { db, school_id, me, now } = ctx
  const { dept } = me.scopes
  const facts = dept.facts.filter(fact => fact.kind !== 'delegated')
  if (dept_ids.length === 0 || facts.length === dept.facts.length || dept.kind === 'all') return new Map()
  const on = schoolDay(now)
  const { rows } = await sql<Reached>`
    select distinct on (v.dept_id) v.dept_id as id, g.from_user_id from delegate_dept g
    join dept_version r on r.school_id = g.school_id and r.dept_id = g.dept_id and ${validOn('r', on)}
    join dept_version v on v.school_id = g.school_id and v.node_path >= r.node_path and v.node_path < left(r.node_path, -1) || '0' and ${validOn('v', on)}
    where g.school_id = ${school_id} and r.school_id = ${school_id} and v.school_id = ${school_id} and g.to_user_id = ${me.user_id} and g.status = 'active'
      and g.valid_from <= ${now} and g.valid_to > ${now} and ${oneOf('v.dept_id', dept_ids)} order by v.dept_id, r.node_path desc, g.id`.execute(db)
  if (rows.length === 0) return new Map()
  const bare = { db, school_id, now, me: { ...me, scopes: { ...me.scopes, dept: { ...dept, facts } } } }
  const sides = await Promise.all((['student', 'staff'] as const).map(tree => visibleDepts(bare, tree, on)))
  const own = new Set(sides.flatMap(side => (side === 'all' ? [] : side)))
  return new Map(rows.filter(row => !own.has(row.id)).map(row => [row.id, row.from_user_id]))
}

/** Marks the request's line of the operation log when it touches departments that the identity reaches only by a delegation. */
export async function noteActedFor(ctx: DeptDesk, dept_ids: readonly string[]): Promise<void> {
  const [acted_for] = (await reachedByDelegation(ctx, dept_ids)).values()
  if (acted_for !== undefined) ctx.note({ acted_for })
}

/**
 * Writes rows of the archive journal on behalf of the acting person. A row about somebody whom he reaches only by a delegation carries the person
 * for whom he acts, and so do rows about people without a department (guardians) beside it, and the request's line of the operation log.
 */
export async function journalActs(ctx: PeopleCtx, rows: readonly ArchiveRow[]): Promise<void> {
  const operator = operatorOf(ctx)
  const acted = await actedFor(ctx, rows)
  const acting = [...acted.values()].find(who => who !== null)
  if (acting !== undefined && acting !== null) ctx.note({ acted_for: acting })
  await archiveAll(ctx.db, rows.map(row => {
    const who = acted.has(row.person_id) ? acted.get(row.person_id) : acting
    return { row, operator: who === undefined || who === null ? operator : { ...operator, acted_for: who } }
  }))
}

/** For whom the identity acts upon each person who has a department today, or had one until today; null: it is his own act. */
async function actedFor(ctx: PeopleCtx, rows: readonly ArchiveRow[]): Promise<Map<string, string | null>> {
  const { db, school_id, me, now } = ctx
  if (!me.scopes.dept.facts.some(fact => fact.kind === 'delegated')) return new Map()
  const on = schoolDay(now)
  const places = await db
    .selectFrom('dept_member as m')
    .select(['m.user_id', 'm.dept_id'])
    .where('m.school_id', '=', school_id)
    .where(oneOf('m.user_id', [...new Set(rows.map(row => row.person_id))]))
    .where(sql<boolean>`m.valid_from <= ${on}::date and (m.valid_to is null or m.valid_to >= ${on}::date)`)
    .execute()
  const reached = await reachedByDelegation(ctx, [...new Set(places.map(place => place.dept_id))])
  return new Map([...Map.groupBy(places, place => place.user_id)].map(([user_id, list]) => {
    const whose = list.map(({ dept_id }) => reached.get(dept_id) ?? null)
    return [user_id, whose.includes(null) ? null : (whose[0] ?? null)]
  }))
}
