import { identityErrors, platform_codes } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { Me, Pre, Scope } from '@kit/server/http'
import { callerOf, reachAccounts, requireManageable, schoolsElsewhere } from './account.target.ts'
import type { Asker, Target } from './account.target.ts'
import type { Desk } from './db.ts'
import { directory } from './directory.ts'
import { findIdentities, findPerson } from './session.queries.ts'
import { scopesIn } from './standing.ts'
import { countReset } from './throttle.queries.ts'

type Whom = { me: Me; target: Target; elsewhere: number[] }

/**
 * Somebody whom the caller may let in, or come in as: a new password or a login link makes him the other one. So he must reach the account, and the
 * other one may do nothing and see no rows that he may not. Five an hour for one account (chapter 10 S9, R7, R10).
 * @throws Refusal 404, 409 severalSchools, 422 superAccount, ownAccount, higherAccount and what `also` refuses, 429 resetTooOften
 */
export async function requireTakeover(pre: Pre, user_id: string, also: (target: Target, me: Me) => Failure | null = () => null): Promise<Whom> {
  const desk: Desk = pre
  const me = callerOf(pre)
  const { school_id } = me
  const elsewhere = await schoolsElsewhere(desk, school_id, user_id)
  const { target, is_higher } = await desk.own(school_id, async db => {
    const asker = { ...desk, db, school_id, me }
    const [found] = await reachAccounts(asker, [user_id])
    return { target: found, is_higher: found !== undefined && (await reachesFurther(asker, user_id)) }
  })
  if (!target) throw fail(commonErrors.notFound)
  pre.note({ target_kind: 'account', target_id: user_id, target_name: target.user_name })
  requireManageable(me, target, elsewhere)
  const refused = is_higher ? identityErrors.higherAccount : also(target, me)
  if (refused) throw fail(refused)
  const wait = await desk.own(0, db => countReset(db, user_id, desk.now))
  if (wait > 0) throw fail(identityErrors.resetTooOften, { retry_after: wait })
  return { me, target, elsewhere }
}

/**
 * Whether a person may do something in this school, or sees rows of it, that the asker may not; what he will be from a later day counts too,
 * since a password lasts. Never for a super account.
 */
export async function reachesFurther(asker: Asker, user_id: string): Promise<boolean> {
  if (asker.me.is_super) return false
  return (await mayDoMore(asker, user_id)) || seesMore(asker, user_id)
}

async function mayDoMore({ db, school_id, me, now }: Asker, user_id: string): Promise<boolean> {
  const held = await db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .innerJoin('role_permission as p', join => join.onRef('p.school_id', '=', 'r.school_id').onRef('p.role_id', '=', 'r.role_id'))
    .select('p.code')
    .distinct()
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .where('r.enabled', '=', true)
    .execute()
  return held.some(({ code }) => !platform_codes.has(code) && !me.codes.has(code))
}

/** Rows are seen through permissions: a role without any shows none, whatever its scope. */
async function seesMore(asker: Asker, user_id: string): Promise<boolean> {
  const { db, school_id, now, me } = asker
  const person = await findPerson(db, school_id, user_id, now)
  const identities = await findIdentities(db, school_id, user_id, now)
  for (const identity of identities.filter(one => one.enabled && one.codes.length > 0)) {
    const scopes = scopesIn(person?.facts ?? [], identity, false)
    if (seesMorePlaces(me.scopes.place, scopes.place)) return true
    if (await seesMoreDepts(asker, { user_id, user_dep: identity.user_dep, scopes })) return true
  }
  return false
}

async function seesMoreDepts(asker: Asker, other: Pick<Me, 'user_id' | 'user_dep' | 'scopes'>): Promise<boolean> {
  const known = directory.one(asker.app)
  const mine = await known.covers(asker)
  if (mine.depts === 'all') return false
  const theirs = await known.covers({ ...asker, me: other })
  return theirs.depts === 'all' || [...theirs.depts].some(dept_id => mine.depts !== 'all' && !mine.depts.has(dept_id))
}

function seesMorePlaces(mine: Scope, theirs: Scope): boolean {
  if (mine.kind === 'all') return false
  const held = new Set(placesOf(mine))
  return theirs.kind === 'all' || placesOf(theirs).some(id => !held.has(id))
}

/** Places that are listed, or those of which somebody is the manager today. */
function placesOf({ kind, ids, facts }: Scope): readonly string[] {
  return kind === 'own' ? facts.filter(fact => fact.kind === 'manager').map(fact => fact.id) : ids
}
