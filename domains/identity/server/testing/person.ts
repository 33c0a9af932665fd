import type { Database } from '@kit/server/db'
import { ensureUsers, issueAccount } from '../account.queries.ts'
import type { IdentityDb, IdentityHandle } from '../db.ts'
import { hashPassword } from '../hash-pool.ts'
import { defineRole, grantRole } from '../role.queries.ts'
import type { NewRole } from '../role.queries.ts'
import type { TestServer } from './wire.ts'

export const good_password = 'Qw8#rTy2pL'
let serial = 0

type TestRole = Partial<NewRole> & { group_code?: string; ended?: boolean }
export type TestPerson = { user_id: string; username: string; user_no: string; password: string; roles: { school_id: number; role_no: string; role_id: string; code: string }[] }
type Wish = { roles?: readonly (TestRole & { school_id: number })[]; password?: string; pwd_state?: 1 | 2 | 3; username?: string }

/** Runs identity's own tables in a school. */
export function own<R>(database: Database, school_id: number, fn: (db: IdentityHandle) => Promise<R>): Promise<R> {
  return database.tenant<IdentityDb, R>(school_id, fn)
}

/** A person with a login and these roles, one school or several. */
export async function makePerson(app: TestServer, { roles = [], password = good_password, pwd_state = 1, username }: Wish): Promise<TestPerson> {
  const { database } = app.running
  const now = app.clock.now()
  const number = (serial += 1)
  const user_no = `P${number}`
  let user_id: string | undefined
  for (const school_id of new Set(roles.map(role => role.school_id))) {
    const ids = await own(database, school_id, db => ensureUsers(db, school_id, [{ user_id, user_no, user_name: `人员${number}`, user_kind: 2 }]))
    user_id = ids[0]
  }
  const person = { user_id: user_id ?? '', username: username ?? `person_${number}`, user_no, password }
  const password_hash = await hashPassword(password)
  await own(database, 0, db => issueAccount(db, { user_id: person.user_id, username: person.username, password_hash, pwd_state, pwd_set_at: now }))
  const given: TestPerson['roles'] = []
  for (const [place, role] of roles.entries()) given.push(await giveRole(database, person.user_id, role, `${number}_${place}`, now))
  return { ...person, roles: given }
}

async function giveRole(database: Database, user_id: string, role: TestRole & { school_id: number }, mark: string, now: Date) {
  const { school_id, ended, group_code = 'SYS003', ...facts } = role
  const code = facts.code ?? `CUS_T${mark}`
  const valid_from = new Date(now.getTime() - 86_400_000)
  return own(database, school_id, async db => {
    const role_id = await defineRole(db, school_id, { name: `角色${mark}`, group_code, ...facts, code })
    const [role_no = ''] = await grantRole(db, school_id, [{ role_id, user_id, valid_from, valid_to: ended ? now : null }])
    return { school_id, role_no, role_id, code }
  })
}

/** The element at a place of a list that a test knows to be there. */
export function at<T>(list: readonly T[], place = 0): T {
  const found = list[place]
  if (found === undefined) throw new Error(`the list has ${list.length} elements, none at ${place}`)
  return found
}

/** The identity of a list that belongs to a school. */
export function ofSchool<T extends { school_id: number }>(list: readonly T[], school_id: number): T {
  return at(list.filter(row => row.school_id === school_id))
}
