import { setTimeout as pause } from 'node:timers/promises'
import { importApi } from '@campus/jobs/contract'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deskPort } from '../desk.ts'
import { openJob } from '../runner/job.queries.ts'
import { makeRun } from '../runner/job-run.ts'
import type { OpenedJob, RunSigns } from '../runner/job-run.ts'
import { startRunner } from '../runner/runner.ts'
import { claimWork } from '../runner/work.queries.ts'
import { addProbe, applied, dataOf, jobNow, manyLines, parsed, probes, rowsOf, settled } from '../testing/import-flow.ts'
import type { ProbeDb } from '../testing/probe.ts'
import { undoJob } from './undo.job.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startTestApp()
  const importer = await addProbe(app)
  user = await importer(test_schools.a)
})
afterAll(() => app.close())

const undo = (batch_no: string, partial?: boolean) => app.call(importApi.undo, { batch_no, partial }, { token: user.token })
const rename = (probe_no: string, probe_name: string) =>
  app.running.database.tenant<ProbeDb, unknown>(test_schools.a, db => db.updateTable('probe').set({ probe_name }).where('school_id', '=', test_schools.a).where('probe_no', '=', probe_no).execute())

it('takes made rows away and changed rows back', async () => {
  await applied(app, user, (await parsed(app, user, [['1', '旧', '甲']])).batch_no)
  const before = await probes(app, user)
  const { batch_no } = await applied(app, user, (await parsed(app, user, [['1', '新', '甲'], ['2', '二', '乙']])).batch_no)
  dataOf(importApi.undo, await undo(batch_no))
  expect(await settled(app, user, batch_no)).toMatchObject({ state: 'undone', rows_applied: 2, rows_undone: 2, undo_message: null })
  expect((await rowsOf(app, user, batch_no)).map(row => [row.is_applied, row.is_undone])).toEqual([[false, true], [false, true]])
  expect(await probes(app, user)).toEqual(before)
  expect((await undo(batch_no)).body.msg).toBe('该批次已撤销，不能重复撤销')
})

it('forgets what blocked it once that is gone', async () => {
  const { batch_no } = await applied(app, user, (await parsed(app, user, [['31', '一', '甲'], ['32', '二', '甲']])).batch_no)
  await rename('31', '后改')
  await undo(batch_no)
  expect(await settled(app, user, batch_no)).toMatchObject({ state: 'applied', rows_blocked: 1, rows_undone: 0 })
  expect((await rowsOf(app, user, batch_no)).map(row => row.errors.map(({ msg }) => msg))).toEqual([['31已变动'], []])
  await rename('31', '一')
  await undo(batch_no)
  expect(await settled(app, user, batch_no)).toMatchObject({ state: 'undone', rows_blocked: 0, rows_undone: 2 })
})

it('goes on after its process died, from the last commit', async () => {
  const { batch_no } = await applied(app, user, (await parsed(app, user, manyLines(1203))).batch_no)
  const { running, clock } = app
  await deskPort.one(running.app).runner?.stop()
  const { job_no } = dataOf(importApi.undo, await undo(batch_no))
  const claim = await claimWork(running.database, ['job'], clock.now())
  if (claim?.ref !== job_no) throw new Error('another job was due')
  const key = { school_id: claim.school_id, job_no: claim.ref, attempts: claim.attempts }
  const row = await running.database.tenant<unknown, OpenedJob | undefined>(claim.school_id, db => openJob(db, key, clock.now()))
  if (!row) throw new Error('the job is not open')
  const signs: RunSigns = { closing: false, lost: false }
  const dying = undoJob.run(makeRun(running, row, signs)).catch((error: unknown) => error)
  while ((await jobNow(app, user, claim.ref)).done === 0) await pause(1)
  signs.lost = true
  await dying
  await running.database.owner_exec('update work set lease_until = now()')
  const runner = await startRunner(running)
  expect(await settled(app, user, batch_no)).toMatchObject({ state: 'undone', rows_undone: 1203, rows_blocked: 0 })
  expect(await jobNow(app, user, claim.ref)).toMatchObject({ state: 'succeeded', done: 1203 })
  expect((await probes(app, user)).filter(({ probe_no }) => probe_no.startsWith('n'))).toEqual([])
  await runner.stop()
})
