import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { deviceApi } from '@campus/devices/contract'
import { hashPassword, issueAccount } from '@campus/identity/server'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Page } from 'playwright-core'
import { landing, signIn } from './browser.ts'

const { a: school_id } = test_schools
const [account, password] = ['gate01', 'Demo@Pass26'] as const
/** Where a terminal's clock is set ahead of this machine's. */
type Clocked = { faults: { clock_offset_ms: number } }
type Made = { class_id: string; pupils: string[]; gate: string; other_gate: string }
/** Builds the school of the day: a class and two gates. */
type Build = (app: TestApp, school_id: number) => Promise<Made>

/** A server of its own whose clock is set, a school with a class and two gates, and who may do everything there. */
export type GateDay = Made & {
  app: TestApp
  me: TestUser
  tenant: <R>(work: (db: QueryExecutorProvider) => Promise<R>) => Promise<R>
  /** registers a terminal at the first gate; answers how it connects */
  wayOf: (sn: string, model_code: string, direction: 1 | 2) => Promise<{ url: string; sn: string; secret: string }>
  /** server, terminals and pages read the same clock from now on */
  setTime: (moment: string, terminals: readonly Clocked[], pages: readonly Page[]) => Promise<void>
  signIn: (page: Page) => Promise<void>
}

/** Starts it at a moment. */
export async function startGateDay(moment: string, build: Build): Promise<GateDay> {
  const app = await startTestApp()
  app.clock.setTo(moment)
  const port = await app.running.listenToDevices()
  const me = await app.as({ school_id, codes: 'all', places: 'all' })
  const password_hash = await hashPassword(password)
  const tenant: GateDay['tenant'] = work => app.running.database.tenant(school_id, work)
  const login = { user_id: me.user_id, username: account, password_hash, pwd_state: 1 as const, pwd_set_at: app.clock.now() }
  await tenant(db => issueAccount(db, login))
  const made = await build(app, school_id)
  return {
    ...made,
    app,
    me,
    tenant,
    wayOf: async (sn, model_code, direction) => {
      const draft = { device_sn: sn, device_name: `终端${sn}`, device_type: '01' as const, model_code, place_id: made.gate, direction }
      const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
      await tenant(db =>
        sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id},
          'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db),
      )
      return { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' }
    },
    setTime: async (at, terminals, pages) => {
      app.clock.setTo(at)
      for (const one of terminals) one.faults.clock_offset_ms = app.clock.now().getTime() - Date.now()
      for (const page of pages) await page.clock.setFixedTime(app.clock.now())
    },
    signIn: async page => {
      await signIn(page, app.url, account, password)
      await page.waitForURL(landing)
    },
  }
}
