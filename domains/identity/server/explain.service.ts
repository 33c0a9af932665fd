import type { ExplainReply, ExplainStep } from '@campus/identity/contract'
import type { explainApi } from '@campus/identity/contract'
import { permissionName } from '@campus/identity/contract'
import { menuGroups } from '@campus/school/contract'
import { buildMenu, readNavState, term } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, RouteFact } from '@kit/contract'
import { usable } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { chain, stateOf, steps } from './explain.steps.ts'
import type { Case, Target } from './explain.steps.ts'
import { accountFacts } from './member.facts.ts'
import { accountState } from './member.read.ts'
import { openSchool } from './role-list.service.ts'
import { findIdentity, findPerson } from './session.queries.ts'
import { codesIn, scopesIn } from './standing.ts'

type Query = Input<typeof explainApi.explain>
type Step = z.output<typeof ExplainStep>
type Explained = { steps: Step[]; role_no: string | null }

/**
 * Why a person sees or does not see a page or button, asked of the functions that decide about it (chapter 10 B1). Without `role_no` it is told
 * for the identity that may, else for the first.
 * @throws Refusal 404 for a person, identity, page or code that is not known here
 */
export async function explain(ctx: IdentityCtx, query: Query): Promise<z.output<typeof ExplainReply>> {
  const { db, school_id, now } = ctx
  const person = await findPerson(db, school_id, query.user_id, now)
  if (!person) throw fail(commonErrors.notFound)
  const target = targetOf(ctx, query, person.school_type)
  const held = await findMemberships(ctx, query.user_id)
  const asked = query.role_no === undefined ? held : held.filter(member => member.role_no === query.role_no)
  if (query.role_no !== undefined && asked.length === 0) throw fail(commonErrors.notFound)
  const told: Explained[] = []
  for (const member of asked.length > 0 ? asked : [undefined]) {
    const made = await caseOf(ctx, { person, member, target, row: query.row })
    told.push({ steps: chain(steps(made)), role_no: member?.role_no ?? null })
  }
  const best = told.find(one => isAllowed(one.steps)) ?? told[0]
  if (!best) throw fail(commonErrors.notFound)
  const identity = held.find(member => member.role_no === best.role_no)
  return {
    allowed: isAllowed(best.steps),
    user_name: person.user_name,
    target: target.name,
    identity: identity ? { role_no: identity.role_no, role_id: identity.role_id, role_name: identity.role_name } : null,
    identities: held.map(member => ({ role_no: member.role_no, role_name: member.role_name, state: stateOf(member, now) })),
    steps: best.steps,
  }
}

function isAllowed(told: readonly Step[]): boolean {
  return told.every(step => step.ok === true)
}

function targetOf({ app }: IdentityCtx, { path, code }: Query, school_type: number): Target {
  if (code !== undefined) {
    const named = permissionName(code)
    if (!app.codes.has(code)) throw fail(commonErrors.notFound)
    return { kind: 'code', code, name: named ? `${named.verb_name}${named.noun_name}` : code }
  }
  const fact = app.facts.find(known => known.path === path)
  if (!fact) throw fail(commonErrors.notFound)
  return { kind: 'page', fact, name: term(fact.title, school_type) }
}

/** Everything the person holds, held or will hold here: what is in force first, then what begins, then what has ended last. */
function findMemberships({ db, school_id, now }: IdentityCtx, user_id: string) {
  return db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .select(['m.role_no', 'm.role_id', 'm.valid_from', 'm.valid_to', 'r.name as role_name', 'r.enabled'])
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where('r.is_app', '=', false)
    .orderBy(sql`case when m.valid_from > ${now} then 2 when m.valid_to <= ${now} then 3 else 1 end`)
    .orderBy('m.valid_to', 'desc')
    .orderBy('m.role_no')
    .execute()
}
type Member = Awaited<ReturnType<typeof findMemberships>>[number]
type Asked = { person: NonNullable<Awaited<ReturnType<typeof findPerson>>>; member: Member | undefined; target: Target; row: string | undefined }

/** The verdicts of the guard on one identity. */
async function caseOf(ctx: IdentityCtx, { person, member, target, row }: Asked): Promise<Case> {
  const { db, school_id, now, app } = ctx
  const identity = member && (await findIdentity(db, school_id, person.user_id, member.role_no, now))
  const codes = identity ? codesIn(identity) : new Set<string>()
  const { roles } = await openSchool(ctx, db, school_id, { user_id: person.user_id, username: person.username, super_slot: null })
  const listed = roles.find(role => role.id === member?.role_no)
  const nav = await readNavState(db, school_id, now)
  const menu = buildMenu(menuGroups, app.facts, { school_type: person.school_type, codes }, nav)
  return {
    person: { ...person, account_state: accountState((await accountFacts(ctx, [person.user_id]))[0], now) }, member, identity, target, codes, now, nav,
    listed: listed && { ...listed, is_usable: usable([listed], { school_id, school_type: person.school_type }, 'web').length > 0 },
    opens: (fact: RouteFact) => menu.some(group => group.children.some(page => page.path === fact.path)),
    row: row === undefined || !identity ? null : await rowOf(ctx, row, { user_id: person.user_id, user_dep: identity.user_dep, scopes: scopesIn(person.facts, identity, false) }),
    has_row: row !== undefined,
  }
}

async function rowOf(ctx: IdentityCtx, row: string, me: Pick<IdentityCtx['me'], 'user_id' | 'user_dep' | 'scopes'>): Promise<NonNullable<Case['row']>> {
  const { db, school_id, now } = ctx
  const found = await db.selectFrom('school_user').select('user_name').where('school_id', '=', school_id).where('user_id', '=', row).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  const { users } = await directory.one(ctx.app).covers({ db, school_id, me, now })
  if (users === 'all') return { user_name: found.user_name, covered: true, kind: me.scopes.dept.kind }
  const { rows } = await sql<{ covered: boolean }>`select ${row}::bigint in (${users}) as covered`.execute(db)
  return { user_name: found.user_name, covered: rows[0]?.covered === true, kind: me.scopes.dept.kind }
}
