import { rm } from 'node:fs/promises'
import { archive } from '@campus/audit/server'
import { exportFile } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { channel_names, sign_products } from '@campus/people/contract'
import { maskIdNo } from '@kit/contract/checks'
import { writeRowsFile } from '@kit/server/excel'
import { z } from 'zod'
import { chunks } from '../bulk.ts'
import type { Db, PeopleDb } from '../db.ts'
import { listedPeople } from '../deletion/listed-people.ts'
import { schoolMinute } from '../export/roster.words.ts'
import { contractsById } from './sign.queries.ts'
import { product_names, state_names } from './sign.words.ts'
import { channelOf, terminateContracts } from './termination.ts'

export const terminate_job = 'people_sign_terminate'
const Params = z.object({ sign_ids: z.array(z.string()), reason: z.string() })
const rows_per_step = 50
const edited = 4
const columns = ['姓名', '渠道', '产品', '协议号', '结果'].map(label => ({ label }))

/** Asks for the end of contracts in steps; the file says of each what became of it. An attempt after a crash goes on where the last step ended. */
export const terminateJob: JobKind = {
  kind: terminate_job,
  async run(job) {
    const { sign_ids, reason } = Params.parse(job.params)
    await job.stage('申请解约', sign_ids.length)
    for (const part of chunks(sign_ids.slice(job.committed.done + job.committed.failed), rows_per_step)) {
      await job.step<PeopleDb>(async db => {
        const asked = await terminateContracts({ app: job.app, db, school_id: job.school_id, now: job.app.clock.now(), me: job.me }, part, reason)
        await journal(job, db, asked, reason)
        return { done: asked.length, failed: part.length - asked.length }
      })
    }
    await writeResult(job, sign_ids, reason)
  },
}

/** One archive row for each person whose contract is to end. */
async function journal({ school_id, me, app }: JobRun, db: Db, ids: readonly string[], reason: string): Promise<void> {
  const contracts = await contractsById(db, school_id, ids)
  const people = await listedPeople(db, school_id, contracts.map(contract => contract.user_id))
  const operator = { school_id, at: app.clock.now(), user_id: me.user_id, user_no: me.user_no, user_name: me.user_name, role_no: me.role_no, role_name: me.role_name }
  await archive(db, operator, people.map(({ user_id, user_name, snapshot }) => ({
    person_kind: snapshot.person_kind, person_id: user_id, person_no: snapshot.user_no, person_name: user_name, dept_name: snapshot.dept_name ?? undefined,
    op_type: edited, source: 'typed' as const, changes: [{ field: 'contract', label: '支付签约', before: state_names.signed, after: `${state_names.terminating}：${reason}` }],
  })))
}

async function writeResult(job: JobRun, ids: readonly string[], reason: string): Promise<void> {
  const contracts = await job.read<PeopleDb, Awaited<ReturnType<typeof contractsById>>>(db => contractsById(db, job.school_id, ids))
  const { file_key, path } = await exportFile(job)
  const head = [`解约结果　共${ids.length}份`, `操作人：${job.me.user_name}（${job.me.user_no}）${job.me.role_name}　${schoolMinute(job.app.clock.now())}`, `解约原因：${reason}`]
  const rows = contracts.map(({ user_name, channel, product, contract_no, state, fail_msg }) => {
    const of = channelOf(channel)
    const what = sign_products.find(one => one === product)
    return [user_name, of === null ? '' : channel_names[of], what === undefined ? '' : product_names[what], maskIdNo(contract_no), resultOf(state, fail_msg)]
  })
  await writeRowsFile(path, { sheet: '解约结果', head, columns, rows: linesOf(rows) })
  await job.result(file_key, `解约结果_${schoolMinute(job.app.clock.now()).replace(/[-: ]/g, '')}.xlsx`).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
}

async function* linesOf(rows: readonly string[][]): AsyncGenerator<string[]> {
  yield* rows
}

function resultOf(state: string, fail_msg: string | null): string {
  if (state === 'terminating') return fail_msg ?? '已提交，等待支付渠道确认'
  return state === 'terminated' ? '已解约' : '未处理：该签约不在已签状态'
}
