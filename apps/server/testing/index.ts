import { defineRole, ensureUsers, grantRole, setRolePermissions, setRoleScope, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import type { Call, Request } from '@kit/contract'
import { loadConfig } from '@kit/server/config'
import type { DomainServer, Scope } from '@kit/server/http'
import { bootServer } from '../boot.ts'
import type { Running } from '../boot.ts'
import { domains as all_domains } from '../domains.ts'
import { checkedTables, checksum, untilTold } from './checksum.ts'
import { TestClock } from './clock.ts'
import { freshDatabase, test_settings } from './database.ts'
import { send } from './request.ts'
import { makeTestSchools, test_schools } from './schools.ts'
import type { Answer, CallOptions } from './request.ts'

export { domains } from '../domains.ts'
export { emptyDatabase, test_settings } from './database.ts'
export { copyDatabase, databaseName, makeDatabase } from './postgres.ts'
export { openConfigured } from '../boot.ts'
export { dataOf, sendRaw } from './request.ts'
export { jobSheet, sheetLines } from './sheet-lines.ts'
export { differingTables } from './checksum.ts'
export { test_schools } from './schools.ts'
export type { Answer, CallOptions } from './request.ts'
export { TestClock } from './clock.ts'
export { connectDevice } from './device-client.ts'
export { openLive } from './live-client.ts'
export { prepareMosquitto } from './mosquitto.ts'
export type { Mosquitto } from './mosquitto.ts'
export { tapWire } from './wire-tap.ts'
export type { WireTap } from './wire-tap.ts'
export { exportTo, outsideSetting, sampleMosquitto } from './sample-mosquitto.ts'
export type { DeviceClient } from './device-client.ts'
export { sendForm, upload, uploadToken } from './upload.ts'
export { vectorRows } from './vectors.ts'
export type { VectorFile } from './vectors.ts'

export type Who = { school_id: number; codes: readonly string[] | 'all'; scope?: Scope['kind']; scope_ids?: readonly string[]; /** the places it sees; default none */ places?: 'all' | readonly string[]; role_code?: string }
export type TestUser = { token: string; user_id: string; user_no: string; role_no: string; role_id: string; role_code: string; session_id: string; school_id: number }

export type TestApp = {
  url: string
  running: Running
  clock: TestClock
  /** makes a person with one role of exactly these codes and signs him in */
  as(who: Who): Promise<TestUser>
  call<E extends Call>(call: E, input: Request<E>, options?: CallOptions): Promise<Answer>
  /** hash of every table but logs and throttle, over all test schools, once what earlier calls told other domains was heard */
  checksum(): Promise<string>
  close(): Promise<void>
}

export type TestOptions = { domains?: readonly DomainServer[]; settings?: Record<string, string> }

/** Starts a whole server on a fresh database of the engine under test; close it in `afterAll`. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  const { domains = all_domains, settings = {} } = options
  const own = await freshDatabase(beginsAsUsual(options) ? 'schools' : 'empty')
  const env = { ...test_settings, ...own.settings, ...settings }
  const clock = new TestClock()
  const running = await bootServer({ config: loadConfig(env), env, clock, domains, ...(own.snapshot ? { snapshot: own.snapshot } : {}) })
  if (!own.has_schools) await makeTestSchools(running, domains)
  const url = await running.http.listen({ host: '127.0.0.1', port: 0 })
  let made = 0
  let tables: Promise<string[]> | undefined
  return {
    url,
    running,
    clock,
    as: who => signIn(running, clock, who, (made += 1)),
    call: (call, input, call_options) => send(url, call, input, call_options),
    checksum: async () => {
      await untilTold(running.database, clock.now())
      return checksum(running.database, await (tables ??= checkedTables(running.database)), Object.values(test_schools))
    },
    close: async () => {
      await running.close()
      await own.drop()
    },
  }
}

/** Whether the schools of such a server begin as those of any other: nothing of its own says what stands in a new one, and it has no database of its own. */
function beginsAsUsual({ domains = all_domains, settings = {} }: TestOptions): boolean {
  const own = domains.filter(domain => !all_domains.includes(domain))
  const adds_nothing = own.every(({ routes, codes, facts, seed, install }) => routes.length === 0 && !codes && !facts && !seed && !install)
  return adds_nothing && !Object.keys(settings).some(name => /^(CAMPUS_(ENV|PROFILE|SECRET_.*)|DATABASE_URL)$/.test(name))
}

async function signIn(running: Running, clock: TestClock, who: Who, serial: number): Promise<TestUser> {
  const { app, database } = running
  const { school_id } = who
  const code = who.role_code ?? `CUS_${serial}`
  const user_no = `U${serial}`
  const now = clock.now()
  const made = await database.tenant<unknown, { user_id: string; role_id: string; role_no: string }>(school_id, async db => {
    const [user_id = ''] = await ensureUsers(db, school_id, [{ user_no, user_name: `测试用户${serial}`, user_kind: 2 }])
    const role_id = await defineRole(db, school_id, { code, name: `测试角色${serial}`, group_code: 'SYS002' })
    await setRolePermissions(db, app, school_id, role_id, who.codes === 'all' ? [...app.codes] : who.codes)
    await setRoleScope(db, school_id, role_id, 'dept', who.scope ?? 'all', who.scope_ids ?? [])
    if (who.places !== undefined) await setRoleScope(db, school_id, role_id, 'place', who.places === 'all' ? 'all' : 'custom', who.places === 'all' ? [] : who.places)
    const [role_no = ''] = await grantRole(db, school_id, [{ role_id, user_id, valid_from: now }])
    return { user_id, role_id, role_no }
  })
  const own: Own = (id, fn) => database.tenant(id, fn)
  const desk = { app, now, own }
  const session = { school_id, user_id: made.user_id, role_no: made.role_no, device_label: '测试', ip: '127.0.0.1' }
  const { token, session_id } = await startSession(desk, session)
  return { ...made, token, session_id, user_no, school_id, role_code: code }
}
