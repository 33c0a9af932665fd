import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import type { Me } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueJob } from '../enqueue.ts'
import { jobKindPort } from '../job-kind.ts'
import { ended, jobNow } from '../testing/import-flow.ts'

const { a, b } = test_schools
const [active, suspended] = [2, 3]
let app: TestApp
let user: TestUser
const halfway = Promise.withResolvers<void>()
const go_on = Promise.withResolvers<void>()
const steps: number[] = []

beforeAll(async () => {
  app = await startTestApp()
  user = await app.as({ school_id: a, codes: [] })
  jobKindPort.fill(app.running.app, {
    kind: 'test_steps',
    async run(job) {
      for (let at = job.committed.done; at < 4; at++) {
        if (at === 2 && job.committed.done === 0) {
          halfway.resolve()
          await go_on.promise
        }
        await job.step(async () => {
          steps.push(at)
          return { done: 1 }
        })
      }
    },
  })
})
afterAll(() => app.close())

/** As the school domain writes it when the platform moves a school. */
function move(school_id: number, state: number): Promise<unknown> {
  return app.running.database.tenant(school_id, db => sql`update school_registry set state = ${state} where school_id = ${school_id}`.execute(db))
}

function start(who: TestUser): Promise<string> {
  const own = { kind: 'all', ids: [], facts: [] } as const
  const { user_id, user_no, role_no, role_id, role_code, session_id, school_id } = who
  const names = { user_name: '张三', username: user_no, role_name: '测试', user_dep: '1' }
  const me: Me = { user_id, user_no, role_no, role_id, role_code, session_id, school_id, ...names, is_super: false, dept_is_exact: false, codes: new Set(), scopes: { dept: own, place: own } }
  const { app: product, database } = app.running
  return database.tenant<unknown, string>(school_id, db => enqueueJob({ db, me, now: app.clock.now(), app: product, school_id }, { kind: 'test_steps', title: '四步', params: {}, total: 4 }))
}

test('a job of a suspended school waits, one under way stops after its step; with the school it goes on where it was', async () => {
  const under_way = await start(user)
  await halfway.promise
  await move(a, suspended)
  go_on.resolve()
  const waiting = await start(user)
  const elsewhere = await app.as({ school_id: b, codes: [] })
  await ended(app, elsewhere, await start(elsewhere))
  await expect.poll(async () => (await jobNow(app, user, under_way)).state).toBe('queued')
  expect(await jobNow(app, user, under_way)).toMatchObject({ done: 2 })
  expect((await jobNow(app, user, waiting)).state).toBe('queued')
  await move(a, active)
  expect(await ended(app, user, under_way)).toMatchObject({ state: 'succeeded', done: 4 })
  expect(await ended(app, user, waiting)).toMatchObject({ state: 'succeeded', done: 4 })
  expect(steps.toSorted()).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
})
