import { startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { memberApi, roleApi, sessionApi } from '@campus/identity/contract'
import type { Call, Reply, Request } from '@kit/contract'
import { ensureUsers } from '../account.queries.ts'
import { own } from './person.ts'
import { dataOf } from './wire.ts'

export const school_id = 1001
let serial = 0

/** A server with somebody who may do everything in a school, and what tests of roles ask of it. */
export async function openRoleDesk() {
  const app = await startTestApp()
  const admin = await app.as({ school_id, codes: 'all' })
  await giveAllPlaces(app, admin)
  const groups = await ok(app, sessionApi.roleGroups, {}, admin)
  const group_id = groups.list.find(group => group.code === 'SYS003')?.role_group_id ?? ''
  const call = <E extends Call>(which: E, input: Request<E>, who: TestUser = admin): Promise<Answer> => app.call(which, input, { token: who.token })
  const done = <E extends Call>(which: E, input: Request<E>, who: TestUser = admin): Promise<Reply<E>> => ok(app, which, input, who)
  const makeRole = async (grant: string[] = [], name = `自建角色${(serial += 1)}`) => {
    const { role_id } = await done(roleApi.add, { name, role_group_id: group_id })
    const { version } = await done(roleApi.saveMatrix, { role_id, version: 1, grant })
    return { role_id, version, name }
  }
  const makePerson = async (user_name = '甲', at = school_id) => {
    const [user_id = ''] = await own(app.running.database, at, db => ensureUsers(db, at, [{ user_no: `N${(serial += 1)}`, user_name, user_kind: 2 }]))
    return user_id
  }
  const give = async (role_id: string, user_id: string) => {
    const { list } = await done(memberApi.add, { role_id, users: [{ user_id }] })
    return list[0]?.role_no ?? ''
  }
  return { app, admin, group_id, call, done, makeRole, makePerson, give }
}
export type RoleDesk = Awaited<ReturnType<typeof openRoleDesk>>

/** Test users are made with a scope of departments alone. */
function giveAllPlaces(app: TestApp, { role_id }: TestUser): Promise<unknown> {
  return own(app.running.database, school_id, db => db.insertInto('role_scope').values({ school_id, role_id, dimension: 'place', kind: 'all' }).execute())
}

async function ok<E extends Call>(app: TestApp, which: E, input: Request<E>, who: TestUser): Promise<Reply<E>> {
  const answer = await app.call(which, input, { token: who.token })
  if (answer.body.code !== 600) throw new Error(`${which.call} answered ${answer.body.code} ${answer.body.msg} ${JSON.stringify(answer.body.data)}`)
  return dataOf(which, answer)
}

/** Status and sentence of an answer. */
export function said(answer: Answer): [number, string] {
  return [answer.status, answer.body.msg]
}
