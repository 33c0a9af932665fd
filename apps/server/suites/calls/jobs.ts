import { importApi, jobApi } from '@campus/jobs/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

/** A parent sheet of one line that is wrong: the batch stays open for mending. */
const header = '学生学号,学生姓名,家长姓名,关系,手机号,是否第一联系人,是否监护人,身份证件类型,身份证件号,工作单位,学历,卡号,是否可接送'
const sheet = `填写说明\n${header}\n20250001,王子涵,王志强,父亲,12,是,,,,,,,\n`
const file = { name: '家长.csv', body: new TextEncoder().encode(sheet) }

/** A batch whose file is read and judged. */
async function parsedBatch(world: World): Promise<{ batch_no: string; job_no: string }> {
  const { token } = world.me
  const made = dataOf(importApi.upload, await world.app.call(importApi.upload, { code: 'parent' }, { token, file }))
  for (let tries = 0; tries < 200; tries += 1) {
    const now = dataOf(importApi.one, await world.app.call(importApi.one, { batch_no: made.batch_no }, { token }))
    if (now.state !== 'uploaded' && now.state !== 'parsing') return { batch_no: made.batch_no, job_no: made.job_no ?? now.job_no ?? '' }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the batch was never parsed')
}

/** A job that has come to its end: which says that there is nothing to cancel. */
async function endedJob(world: World): Promise<string> {
  const { job_no } = await parsedBatch(world)
  for (let tries = 0; tries < 200; tries += 1) {
    const { state } = dataOf(jobApi.one, await world.app.call(jobApi.one, { job_no }, { token: world.me.token }))
    if (state !== 'queued' && state !== 'running') return job_no
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the job never ended')
}

const row_no = 3

/** A batch that counts as written, with a month to take it back. */
async function appliedBatch(world: World): Promise<string> {
  const { batch_no } = await parsedBatch(world)
  const until = new Date(world.app.clock.now().getTime() + 86_400_000)
  await world.app.running.database.tenant<unknown, unknown>(world.school_id, db =>
    sql`update import_batch set state = 'applied', rows_applied = 1, undo_until = ${until} where school_id = ${world.school_id} and batch_no = ${batch_no}`.execute(db),
  )
  return batch_no
}

export const jobsCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(jobApi, {
    list: () => ({ input: {} }),
    one: async world => ({ input: { job_no: (await parsedBatch(world)).job_no } }),
    cancel: async world => ({ input: { job_no: await endedJob(world) } }),
    result: async world => ({ input: { job_no: (await parsedBatch(world)).job_no } }),
  }),
  ...buildersOf(importApi, {
    template: () => ({ input: { code: 'parent' } }),
    upload: () => ({ input: { code: 'parent' }, file }),
    batches: () => ({ input: {} }),
    one: async world => ({ input: { batch_no: (await parsedBatch(world)).batch_no } }),
    rows: async world => ({ input: { batch_no: (await parsedBatch(world)).batch_no } }),
    fix: async world => ({ input: { batch_no: (await parsedBatch(world)).batch_no, row_no, skip: true } }),
    apply: async world => {
      const { batch_no } = await parsedBatch(world)
      await world.app.call(importApi.fix, { batch_no, row_no, skip: true }, { token: world.me.token })
      return { input: { batch_no } }
    },
    undo: async world => ({ input: { batch_no: await appliedBatch(world), partial: true } }),
    errorSheet: async world => ({ input: { batch_no: (await parsedBatch(world)).batch_no } }),
  }),
])
