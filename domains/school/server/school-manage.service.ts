import { school_states, schoolErrors, schoolEvents } from '@campus/school/contract'
import type { schoolManageApi } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Me, Pre } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { followMove } from './closing/closing.service.ts'
import type { SchoolDb } from './db.ts'
import { addSchool, regionFacts } from './new-school.ts'
import { moveInRegistry, nextSchoolId, renameInRegistry } from './registry.queries.ts'
import { lockSchool, renameSchool, setState } from './school.queries.ts'
import { schoolKeeperPort, schoolSeedPort } from './school-keeper.ts'

type Db = Kysely<SchoolDb>
type Changed = Reply<typeof schoolManageApi.suspend>
type School = NonNullable<Awaited<ReturnType<typeof lockSchool>>>
type Wish = { id: number; reason: string; recheck_token: string; school_name?: string }

/** From which states a school may come to each. */
const sources: Readonly<Record<number, readonly number[]>> = {
  [school_states.active]: [school_states.preparing, school_states.suspended],
  [school_states.suspended]: [school_states.active],
  [school_states.closed]: [school_states.suspended],
}

/**
 * Makes a school with everything a new one begins with and its first administrator, in one transaction. His password is answered this once.
 * @throws Refusal 422 recheckInvalid, 409 idTaken, 409 of identity when the account exists
 */
export async function makeSchool(pre: Pre, input: Input<typeof schoolManageApi.add>): Promise<Reply<typeof schoolManageApi.add>> {
  const { recheck_token, admin_account, admin_name, school_name, school_type } = input
  const me = signedIn(pre)
  const keeper = schoolKeeperPort.one(pre.app)
  const { password, password_hash } = await keeper.newPassword()
  const school_id = input.school_id ?? (await pre.own<SchoolDb, number>(0, nextSchoolId))
  const school = { school_id, school_name, school_type }
  const region = regionFacts(pre.app.config)
  pre.note({ target_kind: 'school', target_id: String(school_id), target_name: school_name, after: { school_type, admin_account } })
  await pre.own<SchoolDb, void>(school_id, async db => {
    if (!(await keeper.spendRecheck(db, me.user_id, recheck_token, pre.now))) throw fail(schoolErrors.recheckInvalid)
    await addSchool(db, school, { ...region.facts, created_by: me.user_id }, region.config)
    await schoolSeedPort.one(pre.app)(db, school)
    await keeper.addAdmin({ app: pre.app, db, school_id, now: pre.now }, { admin_account, admin_name, password_hash })
  })
  return { school_id, admin_account, password }
}

/**
 * Gives a school another name; everything else is written inside the school.
 * @throws Refusal 404, 409 stale
 */
export async function nameSchool(pre: Pre, { id, school_name, row_version }: Input<typeof schoolManageApi.update>): Promise<Reply<typeof schoolManageApi.update>> {
  const me = signedIn(pre)
  return pre.own<SchoolDb, Reply<typeof schoolManageApi.update>>(id, async db => {
    const before = await known(pre, db, id)
    const after = await renameSchool(db, { school_id: id, school_name, row_version, by: me.user_id, now: pre.now })
    if (!after) throw fail(commonErrors.stale)
    await renameInRegistry(db, id, school_name)
    pre.note({ before: { school_name: before.school_name }, after: { school_name } })
    return after
  })
}

/**
 * Moves a school to another state (chapter 10 §2, §7): with the commit its sessions are over, logins there are refused and its jobs wait; all of
 * that ends when it is active again.
 * @throws Refusal 404, 409 stateMoved or suspendFirst, 422 ownSchool, nameMismatch, recheckInvalid
 */
export async function moveSchool(pre: Pre, state: 2 | 3 | 4, wish: Wish): Promise<Changed> {
  const { id: school_id, reason } = wish
  const me = signedIn(pre)
  const keeper = schoolKeeperPort.one(pre.app)
  const changed = await pre.own<SchoolDb, Changed>(school_id, async db => {
    const before = await known(pre, db, school_id)
    pre.note({ reason, before: { state: before.state }, after: { state } })
    checkMove(me, before, state, wish)
    if (!(await keeper.spendRecheck(db, me.user_id, wish.recheck_token, pre.now))) throw fail(schoolErrors.recheckInvalid)
    await setState(db, { school_id, state, by: me.user_id, now: pre.now })
    await moveInRegistry(db, school_id, state, pre.now)
    const sessions_ended = state === school_states.active ? 0 : await keeper.shut({ app: pre.app, db, school_id, now: pre.now })
    await followMove({ app: pre.app, db, school_id, now: pre.now }, state, sessions_ended)
    await publish({ ...pre, db, school_id }, schoolEvents.stateChanged, { state })
    return { school_id, state, sessions_ended }
  })
  keeper.forget(pre.app, school_id)
  return changed
}

function checkMove(me: Me, { school_id, state: from, school_name }: School, state: 2 | 3 | 4, wish: Wish): void {
  if (state === school_states.closed && from === school_states.active) throw fail(schoolErrors.suspendFirst)
  if (!sources[state]?.includes(from)) throw fail(schoolErrors.stateMoved)
  if (school_id === me.school_id) throw fail(schoolErrors.ownSchool)
  if (state === school_states.closed && wish.school_name?.trim() !== school_name) throw fail(schoolErrors.nameMismatch)
}

/** The school, locked until the transaction ends; the log line names it. */
async function known(pre: Pre, db: Db, school_id: number): Promise<School> {
  const school = await lockSchool(db, school_id)
  if (!school) throw fail(commonErrors.notFound)
  pre.note({ target_kind: 'school', target_id: String(school_id), target_name: school.school_name })
  return school
}

function signedIn({ me }: Pre): Me {
  if (!me) throw fail(commonErrors.unauthorized)
  return me
}
