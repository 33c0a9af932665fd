import { rm } from 'node:fs/promises'
import { issueSlips } from '@campus/identity/server'
import type { PasswordSlips, Slip } from '@campus/identity/server'
import { enqueueJob, exportFile } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { writeRowsFile } from '@kit/server/excel'
import type { Boot } from '@kit/server/http'
import { z } from 'zod'
import { chunks } from '../bulk.ts'
import { kept_hours } from '../export/export.job.ts'
import { schoolMinute } from '../export/roster.words.ts'

const slip_kind = 'people_password_slips'
const people_per_page = 20
const columns = ['姓名', '编号', '部门', '账号', '一次性密码', '说明'].map(label => ({ label }))
const Params = z.object({ user_ids: z.array(z.string()) })

/** Orders a file of new one-time passwords (chapter 20 rule 24): for whoever asked, for 24 hours, to be fetched once. */
export const passwordSlips: PasswordSlips = {
  order: (ctx, user_ids) => enqueueJob(ctx, { kind: slip_kind, title: `密码条（${user_ids.length}人，只能下载一次）`, params: { user_ids }, total: user_ids.length, keep_hours: kept_hours, result_once: true }),
}

/**
 * Gives the passwords and prints them, a line each; whoever may not be given one stands in the file with the reason. The passwords stand in the file
 * alone: an attempt after a crash gives everybody another one.
 */
export function slipJob({ database }: Pick<Boot, 'database'>): JobKind {
  return {
    kind: slip_kind,
    async run(job) {
      const { user_ids } = Params.parse(job.params)
      await job.stage('生成密码', user_ids.length)
      const { file_key, path } = await exportFile(job)
      const head = [`密码条　共${user_ids.length}人`, `操作人：${job.me.user_name}（${job.me.user_no}）${job.me.role_name}　${schoolMinute(job.app.clock.now())}`, '密码只能使用一次，登录后须立即修改；请当面交给本人，用后销毁本文件。']
      await writeRowsFile(path, { sheet: '密码条', head, columns, rows: linesOf(job, database, user_ids) })
      await job.result(file_key, `密码条_${schoolMinute(job.app.clock.now()).replace(/[-: ]/g, '')}.xlsx`).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
    },
  }
}

async function* linesOf(job: JobRun, database: Boot['database'], user_ids: readonly string[]): AsyncGenerator<string[]> {
  let printed = 0
  for (const page of chunks(user_ids, people_per_page)) {
    const desk = { app: job.app, own: database.tenant.bind(database), now: job.app.clock.now() }
    yield* (await issueSlips(desk, job, page)).map(lineOf)
    const counted = Math.max(printed, job.committed.done)
    printed += page.length
    await job.step<unknown>(async () => ({ done: Math.max(0, printed - counted) }))
  }
}

function lineOf({ user_name, user_no, dept_name, username, password, refused, is_first }: Slip): string[] {
  return [user_name, user_no, dept_name ?? '', username ?? '', password ?? '', refused ?? (is_first ? '新开通账号，初始密码' : '')]
}
