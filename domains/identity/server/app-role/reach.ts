import type { AppKind, ReachWay } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { IdentityHandle } from '../db.ts'
import { directory } from '../directory.ts'

/** In which school and when people are counted. */
export type Where = { app: App; db: IdentityHandle; school_id: number; now: Date }
/** Who stands behind a role. `users` = a query of the people named one by one. */
export type Reaching = { kind: AppKind; users: RawBuilder<unknown>; dept_ids: readonly string[]; role_group_ids: readonly string[]; is_for_all: boolean }

/** PERSON_KIND of each client; whoever holds an identity of the group is one of them too, so that a teacher with a child is a parent. */
const person_kinds: Readonly<Record<AppKind, readonly number[]>> = { teacher: [2, 6, 7], parent: [3], student: [1] }
const identity_groups: Readonly<Record<AppKind, string>> = { teacher: '', parent: 'SYS005', student: 'SYS004' }
const nobody = '0'

/** Whether the person `u` of school_user is here and is of a kind. */
export function isOfKind({ school_id, now }: Pick<Where, 'school_id' | 'now'>, kind: AppKind): RawBuilder<boolean> {
  const group = identity_groups[kind]
  const by_kind = sql<boolean>`u.user_kind = any(${[...person_kinds[kind]]}::int[])`
  if (group === '') return sql<boolean>`(u.left_at is null and ${by_kind})`
  return sql<boolean>`(u.left_at is null and (${by_kind} or u.user_id in (
    ${heldNow(school_id, now)} and m.role_id in (
      select r.role_id from role r join role_group g on g.school_id = r.school_id and g.role_group_id = r.role_group_id
      where r.school_id = ${school_id} and g.school_id = ${school_id} and g.code = ${group}))))`
}

/** The people named one by one in an app role. */
export function namedUsers(school_id: number, role_id: string, now: Date): RawBuilder<unknown> {
  return sql`${heldNow(school_id, now)} and m.role_id = ${role_id}`
}

function heldNow(school_id: number, now: Date): RawBuilder<unknown> {
  return sql`select m.user_id from role_member m where m.school_id = ${school_id} and m.valid_from <= ${now} and (m.valid_to is null or m.valid_to > ${now})`
}

/** People and the way by which each is reached, columns user_id and way; somebody may stand there several times, and may be of another kind. */
export async function reachedBy(where: Where, { users, dept_ids, role_group_ids, is_for_all }: Reaching): Promise<RawBuilder<unknown>> {
  const { school_id, now } = where
  const ways: [ReachWay, RawBuilder<unknown>][] = [['user', users]]
  if (dept_ids.length > 0) ways.push(['dept', await peopleOf(where, dept_ids)])
  if (role_group_ids.length > 0) {
    ways.push(['role_group', sql`${heldNow(school_id, now)} and m.role_id in (
      select r.role_id from role r where r.school_id = ${school_id} and r.enabled and not r.is_app and r.removed_at is null and r.role_group_id = any(${[...role_group_ids]}::bigint[]))`])
  }
  if (is_for_all) ways.push(['everyone', sql`select a.user_id from school_user a where a.school_id = ${school_id}`])
  return sql.join(ways.map(([way, people]) => sql`select w.user_id, ${way}::text as way from (${people}) w`), sql` union all `)
}

/** Staff and pupils of departments with everything below them, and the parents of these pupils: what a scope over exactly these departments covers. */
async function peopleOf({ app, db, school_id, now }: Where, dept_ids: readonly string[]): Promise<RawBuilder<unknown>> {
  const [known] = directory.all(app)
  const scopes = { dept: { kind: 'custom', ids: dept_ids, facts: [] }, place: { kind: 'none', ids: [], facts: [] } } as const
  const covered = await known?.covers({ db, school_id, now, me: { user_id: nobody, user_dep: '1', scopes } })
  if (covered === undefined) return sql`select null::bigint as user_id where false`
  return covered.users === 'all' ? sql`select a.user_id from school_user a where a.school_id = ${school_id}` : covered.users
}
