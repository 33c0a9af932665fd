import { defineRole, ensureUsers, grantRole, hashPassword, issueAccount, setRolePermissions } from '@campus/identity/server'
import { loginApi } from '@campus/identity/contract'
import { encryptField } from '@kit/contract/sm2'
import { makeApp } from '../boot.ts'
import { loadConfig } from '@kit/server/config'
import { dataOf, send, test_settings } from './client.ts'
import type { Answer } from './client.ts'
import { look } from './kept-rows.ts'
import { freePort, startNginx } from './nginx.ts'
import type { Nginx } from './nginx.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

/** Everybody of these tests has this password. */
const password = 'Two#Nodes26'
const captcha_of_tests = '2222'
/** Four work at a time at most; the other places are of those that just ended, as after a deployment. */
const places = 7

/** Several server processes on one PostgreSQL database and one folder of files, behind nginx as docs/deploy says. */
export type Nodes = {
  school: Prepared
  postgres: FaultyPostgres
  nginx: Nginx
  /** starts one at a place of the proxy's list */
  start(place: number): Promise<ServerProcess>
  close(): Promise<void>
}

/** Prepares school, accounts and proxy; no server runs yet. */
export async function prepareNodes(accounts: readonly string[]): Promise<Nodes> {
  const postgres = await makePostgres()
  const school = await prepareSchool({ ...postgres.settings, CAMPUS_TRUST_PROXY: '127.0.0.1' })
  await addAccounts(school.settings, accounts)
  const ports: number[] = []
  for (let place = 0; place < places; place += 1) ports.push(await freePort())
  const nginx = await startNginx(ports)
  const started: ServerProcess[] = []
  return {
    school,
    postgres,
    nginx,
    async start(place) {
      const server = await startServer({ ...school.settings, CAMPUS_PORT: String(ports[place % places]) })
      started.push(server)
      return server
    },
    async close() {
      await Promise.all(started.map(endServer))
      await nginx.stop()
      await postgres.remove()
      await school.remove()
    },
  }
}

/** People with a password of their own and a role that may do nothing in particular. */
async function addAccounts(settings: Record<string, string>, accounts: readonly string[]): Promise<void> {
  const env = { ...test_settings, ...settings }
  const app = await makeApp({ config: loadConfig(env), env })
  const password_hash = await hashPassword(password)
  await look(settings, database =>
    database.tenant<unknown, void>(school_id, async db => {
      const user_ids = await ensureUsers(db, school_id, accounts.map(user_no => ({ user_no, user_name: user_no, user_kind: 2 })))
      const role_id = await defineRole(db, school_id, { code: 'CUS_nodes', name: '双机', group_code: 'SYS003' })
      await setRolePermissions(db, app, school_id, role_id, ['people.student.view'])
      for (const [at, user_id] of user_ids.entries()) await issueAccount(db, { user_id, username: accounts[at] ?? '', password_hash, pwd_state: 1, pwd_set_at: new Date() })
      await grantRole(db, school_id, user_ids.map(user_id => ({ role_id, user_id, valid_from: new Date(Date.now() - 86_400_000) })))
    }))
}

/** A login as the page sends it, at one address. */
export async function login(url: string, username: string, tried = password): Promise<Answer> {
  const { key, public_key, key_id } = dataOf(loginApi.captcha, await send(url, loginApi.captcha, {}))
  const seal = (text: string) => encryptField(text, key, public_key, key_id)
  return send(url, loginApi.check, { username: seal(username), password: seal(tried), cap_key: key, cap_value: captcha_of_tests })
}

/** Signs in at one address and takes the first identity; token and refresh cookie. */
export async function enter(url: string, username: string): Promise<{ token: string; cookie: string }> {
  const reply = dataOf(loginApi.check, await login(url, username))
  const [entry] = reply.role_list
  if (!entry) throw new Error('no usable identity')
  const { id: role_no, code, user_id, user_dep, school_id: school } = entry
  const answer = await send(url, loginApi.token, { role_no, code, user_id, user_dep, school_id: school, client: 'web', is_invalidate: '0' }, { token: reply.token })
  return { token: dataOf(loginApi.token, answer).token, cookie: refreshCookie(answer) }
}

/** The refresh cookie that an answer set, as a Cookie header. */
export function refreshCookie({ headers }: Answer): string {
  return headers.getSetCookie().find(line => line.startsWith('campus_refresh='))?.split(';')[0] ?? ''
}
