import { writeFile } from 'node:fs/promises'
import { jobApi, jobsErrors } from '@campus/jobs/contract'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { fail } from '@kit/contract'
import type { Me } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deskPort } from '../desk.ts'
import { enqueueJob } from '../enqueue.ts'
import { jobKindPort } from '../job-kind.ts'
import type { JobKind, JobRun } from '../job-kind.ts'
import { addProbe, dataOf, ended, jobNow, probes } from '../testing/import-flow.ts'
import type { ProbeDb } from '../testing/probe.ts'
import { openJob } from './job.queries.ts'
import { makeRun } from './job-run.ts'
import type { OpenedJob } from './job-run.ts'
import { startRunner } from './runner.ts'
import { claimWork } from './work.queries.ts'
import type { Claim } from './work.queries.ts'

let app: TestApp
let user: TestUser
/** open gates: what a job waits for between two steps */
const gates = new Map<string, { opened: Promise<void>; open(): void; reached: Promise<void>; reach(): void }>()

function gate(name: string) {
  const opened = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  gates.set(name, { opened: opened.promise, open: opened.resolve, reached: reached.promise, reach: reached.resolve })
  return gates.get(name)
}

/** Writes one probe a step, `total` in all, and goes on from what is committed; waits at its gate after the second. */
const counting: JobKind = {
  kind: 'test_count',
  async run(job) {
    const { name, total } = shape(job.params)
    for (let at = job.committed.done; at < total; at++) {
      if (at === 2 && gates.has(name)) {
        gates.get(name)?.reach()
        await gates.get(name)?.opened
      }
      await writeOne(job, `${name}${at}`)
    }
    const { file_key, path } = await job.app.files.reserve(job.school_id, 'job', '.csv')
    await writeFile(path, 'done')
    await job.result(file_key, '结果.csv')
  },
  async ended(db, job, { state }) {
    await log(db, `${shape(job.params).name} ${state}`)
  },
}
const failing: JobKind = {
  kind: 'test_fail',
  async run(job) {
    await writeOne(job, `${shape(job.params).name}${job.committed.done}`)
    throw new Error('planned')
  },
}

const refusing: JobKind = {
  kind: 'test_refuse',
  run: () => Promise.reject(fail(jobsErrors.unknownTemplate)),
}

const endings: string[] = []
async function log(_db: Kysely<unknown>, line: string): Promise<void> {
  endings.push(line)
}

function shape(params: unknown): { name: string; total: number } {
  if (typeof params === 'object' && params !== null && 'name' in params && 'total' in params) return { name: String(params.name), total: Number(params.total) }
  throw new Error('odd params')
}

function writeOne(job: JobRun, probe_no: string): Promise<void> {
  return job.step<ProbeDb>(async db => {
    await db.insertInto('probe').values({ school_id: job.school_id, probe_no, probe_name: job.me.user_name, probe_kind: 1, written: 1 }).execute()
    return { done: 1 }
  })
}

beforeAll(async () => {
  app = await startTestApp()
  const importer = await addProbe(app)
  user = await importer(test_schools.a)
  for (const kind of [counting, failing, refusing]) jobKindPort.fill(app.running.app, kind)
})
afterAll(() => app.close())

function meOf({ user_id, user_no, role_no, role_id, role_code, session_id, school_id }: TestUser): Me {
  const own = { kind: 'all', ids: [], facts: [] } as const
  const names = { user_name: '张三', username: user_no, role_name: '测试', user_dep: '1' }
  return { user_id, user_no, role_no, role_id, role_code, session_id, school_id, ...names, is_super: false, dept_is_exact: false, codes: new Set(['a.b']), scopes: { dept: own, place: own } }
}

function start(who: TestUser, name: string, total: number, kind = 'test_count', lane?: string): Promise<string> {
  const { app: product, database } = app.running
  return database.tenant<unknown, string>(who.school_id, db =>
    enqueueJob({ db, me: meOf(who), now: app.clock.now(), app: product, school_id: who.school_id }, { kind, title: `数到${total}`, params: { name, total }, total, ...(lane ? { lane } : {}) }),
  )
}

const written = async (name: string) => (await probes(app, user)).filter(({ probe_no }) => probe_no.startsWith(name)).map(({ probe_no }) => probe_no)

describe('a job', () => {
  it('runs as who started it and leaves its file', async () => {
    const job_no = await start(user, 'plain', 3)
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'succeeded', done: 3, total: 3, failed: 0, has_result: true, stage: null })
    expect(await written('plain')).toEqual(['plain0', 'plain1', 'plain2'])
    expect((await probes(app, user)).find(({ probe_no }) => probe_no === 'plain0')?.probe_name).toBe('张三')
    const file = await app.call(jobApi.result, { job_no }, { token: user.token })
    expect(new TextDecoder().decode(file.bytes)).toBe('done')
    expect(endings).toContain('plain succeeded')
  })

  it('that is rolled back with its caller never runs', async () => {
    const { app: product, database } = app.running
    const lost = database.tenant<unknown, string>(user.school_id, async db => {
      await enqueueJob({ db, me: meOf(user), now: app.clock.now(), app: product, school_id: user.school_id }, { kind: 'test_count', title: '', params: { name: 'ghost', total: 1 } })
      throw new Error('rolled back')
    })
    await expect(lost).rejects.toThrow('rolled back')
    await ended(app, user, await start(user, 'after', 1))
    expect(await written('ghost')).toEqual([])
  })

  it('stops when it is cancelled and keeps what is committed', async () => {
    const wait = gate('cancel')
    const job_no = await start(user, 'cancel', 5)
    await wait?.reached
    expect((await app.call(jobApi.cancel, { job_no }, { token: user.token })).status).toBe(200)
    wait?.open()
    await ended(app, user, await start(user, 'after-cancel', 1))
    expect(await jobNow(app, user, job_no)).toMatchObject({ state: 'cancelled', done: 2, cancel_asked: true })
    expect(await written('cancel')).toEqual(['cancel0', 'cancel1'])
    expect(endings.filter(line => line.startsWith('cancel '))).toEqual(['cancel cancelled'])
    const again = await app.call(jobApi.cancel, { job_no }, { token: user.token })
    expect([again.status, again.body.msg]).toEqual([409, '任务已结束，无需取消'])
  })

  it('stops with 权限已失效 when the identity ended', async () => {
    const other = await app.as({ school_id: test_schools.a, codes: [] })
    const wait = gate('role')
    const job_no = await start(other, 'role', 5)
    await wait?.reached
    await app.running.database.tenant<{ role_member: { school_id: number; role_no: string; valid_to: Date } }, unknown>(other.school_id, db =>
      db.updateTable('role_member').set({ valid_to: new Date() }).where('school_id', '=', other.school_id).where('role_no', '=', other.role_no).execute(),
    )
    wait?.open()
    await ended(app, user, await start(user, 'after-role', 1))
    const job = await app.running.database.tenant<{ job: { school_id: number; job_no: string; state: string; error_msg: string | null; done: number } }, unknown>(other.school_id, db =>
      db.selectFrom('job').select(['state', 'error_msg', 'done']).where('school_id', '=', other.school_id).where('job_no', '=', job_no).executeTakeFirst(),
    )
    expect(job).toEqual({ state: 'failed', error_msg: '权限已失效', done: 2 })
  })

  it('of one lane waits for the one before it', async () => {
    const wait = gate('lane-a')
    const first = await start(user, 'lane-a', 3, 'test_count', 'one')
    const second = await start(user, 'lane-b', 1, 'test_count', 'one')
    await wait?.reached
    await ended(app, user, await start(user, 'beside', 1))
    expect(await jobNow(app, user, second)).toMatchObject({ state: 'queued', stage: '排队中' })
    wait?.open()
    expect(await ended(app, user, first)).toMatchObject({ state: 'succeeded' })
    expect(await ended(app, user, second)).toMatchObject({ state: 'succeeded' })
  })

  it('that fails is tried three times, then ends with a sentence', async () => {
    const job_no = await start(user, 'fail', 9, 'test_fail')
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'failed', done: 3, error_msg: '系统异常，请稍后重试' })
    expect(await written('fail')).toEqual(['fail0', 'fail1', 'fail2'])
  })

  it('that is refused ends at once with the sentence of the refusal', async () => {
    const job_no = await start(user, 'refused', 1, 'test_refuse')
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'failed', error_msg: '导入模板不存在' })
  })

  it('is nobody else’s', async () => {
    const job_no = await start(user, 'mine', 1)
    await ended(app, user, job_no)
    const other = await app.as({ school_id: test_schools.a, codes: [] })
    expect((await app.call(jobApi.one, { job_no }, { token: other.token })).status).toBe(404)
    expect(dataOf(jobApi.list, await app.call(jobApi.list, {}, { token: other.token })).total).toBe(0)
  })
})

describe('a process that dies', () => {
  /** Takes and opens a job as a runner does, and then does nothing more: the process is gone. */
  async function takeAndDie(job_no: string, steps: number): Promise<JobRun> {
    const { running, clock } = app
    const claim = await claimWork(running.database, ['job'], clock.now())
    if (claim?.ref !== job_no) throw new Error('another job was due')
    const row = await running.database.tenant<unknown, OpenedJob | undefined>(claim.school_id, db => openJob(db, keyOf(claim), clock.now()))
    if (!row) throw new Error('the job is not open')
    const run = makeRun(running, row, { closing: false, lost: false })
    for (let at = 0; at < steps; at++) await writeOne(run, `${shape(row.params).name}${at}`)
    return run
  }
  const keyOf = ({ school_id, ref, attempts }: Claim) => ({ school_id, job_no: ref, attempts })

  it('leaves a job that the next one finishes from the last commit, and can commit nothing more itself', async () => {
    const { database } = app.running
    await deskPort.one(app.running.app).runner?.stop()
    const job_no = await start(user, 'dead', 4)
    const dead = await takeAndDie(job_no, 2)
    expect(await claimWork(database, ['job'], app.clock.now())).toBeUndefined()
    await database.owner_exec('update work set lease_until = now()')
    const runner = await startRunner(app.running)
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'succeeded', done: 4 })
    await expect(writeOne(dead, 'dead-late')).rejects.toMatchObject({ reason: 'lost' })
    expect(await written('dead')).toEqual(['dead0', 'dead1', 'dead2', 'dead3'])
    await runner.stop()
  })

  it('three times over one job is not tried a fourth time', async () => {
    const { database } = app.running
    const job_no = await start(user, 'poison', 4)
    for (let at = 0; at < 3; at++) {
      await takeAndDie(job_no, 0)
      await database.owner_exec('update work set lease_until = now()')
    }
    const runner = await startRunner(app.running)
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'failed', error_msg: '任务多次中断，请重新提交' })
    await runner.stop()
  })

  it('five times over one long job leaves it to be finished, as long as every attempt got on', async () => {
    const { database } = app.running
    const job_no = await start(user, 'long', 6)
    for (let at = 0; at < 5; at++) {
      const run = await takeAndDie(job_no, 0)
      await writeOne(run, `long${at}`)
      await database.owner_exec('update work set lease_until = now()')
    }
    const runner = await startRunner(app.running)
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'succeeded', done: 6, error_msg: null })
    expect(await written('long')).toEqual(['long0', 'long1', 'long2', 'long3', 'long4', 'long5'])
    await runner.stop()
  })

  it('cleanly gives its jobs back uncounted', async () => {
    const wait = gate('clean')
    const first = await startRunner(app.running)
    const job_no = await start(user, 'clean', 4)
    await wait?.reached
    const stopped = first.stop()
    wait?.open()
    await stopped
    expect(await jobNow(app, user, job_no)).toMatchObject({ state: 'queued', done: 2 })
    const second = await startRunner(app.running)
    expect(await ended(app, user, job_no)).toMatchObject({ state: 'succeeded', done: 4 })
    expect(await written('clean')).toEqual(['clean0', 'clean1', 'clean2', 'clean3'])
    await second.stop()
  })
})
