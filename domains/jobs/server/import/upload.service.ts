import { randomInt } from 'node:crypto'
import { extname } from 'node:path'
import type { importApi, ImportBatch } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import type { JobsCtx } from '../db.ts'
import { addWork } from '../due-work.ts'
import { enqueueJob } from '../enqueue.ts'
import type { JobStarter } from '../enqueue.ts'
import type { AnyTemplate } from '@kit/server/excel'
import { usableTemplate } from './batch-access.ts'
import { changeBatch, insertBatch } from './batch.queries.ts'
import { showBatch } from './batch-view.ts'
import { parse_kind } from './parse.job.ts'

const day_ms = 86_400_000
const kept_days = 180
const shanghai_ms = 8 * 3_600_000
const tries = 5

type UploadInput = Input<typeof importApi.upload>
type KeptFile = { file_key: string; file_name: string }

/**
 * Keeps the uploaded sheet and starts its dry run. The file is put on the due list at once, so that a request that comes to
 * nothing (refused, repeated, process killed) leaves no file behind for ever.
 * @throws Refusal 404 unknownTemplate, 403 without the template's permission, 400 without a file or for an unknown switch
 */
export async function uploadBatch(pre: Pre, input: UploadInput): Promise<(ctx: JobsCtx) => Promise<ImportBatch>> {
  const { me, file, app } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const template = usableTemplate(app, me, input.code)
  const options = input.options ?? []
  if (!file || options.some(option => !template.options?.includes(option))) throw fail(commonErrors.malformed)
  const file_key = await app.files.keep(file.path, me.school_id, 'import', extname(file.file_name).toLowerCase())
  await pre.own<unknown, void>(me.school_id, db => addWork(db, { school_id: me.school_id, kind: 'import_orphan', ref: file_key, due_at: new Date(pre.now.getTime() + day_ms) }))
  const file_name = [...file.file_name].slice(-200).join('')
  return ctx => startBatch(ctx, template, { file_key, file_name }, options)
}

async function startBatch(ctx: JobsCtx, template: AnyTemplate, file: KeptFile, options: readonly string[]): Promise<ImportBatch> {
  const { db, school_id, now } = ctx
  const batch_no = await newBatch(ctx, template.code, file, options)
  const job_no = await enqueueJob(ctx, { kind: parse_kind, title: `${template.title}：${file.file_name}`, params: { batch_no } })
  const batch = await changeBatch(db, { school_id, batch_no }, ['uploaded'], { job_no })
  if (!batch) throw new Error(`batch ${batch_no} is gone in its own transaction`)
  await addWork(db, { school_id, kind: 'import_drop', ref: batch_no, due_at: dropBatchAt(now) })
  ctx.note({ target_kind: 'import_batch', target_id: batch_no, target_name: file.file_name, batch_no, job_no })
  return showBatch(ctx.app, batch, ctx.me)
}

async function newBatch(ctx: JobsCtx, template: string, file: KeptFile, options: readonly string[]): Promise<string> {
  const { db, school_id, me, now } = ctx
  return freshBatchNo(ctx, batch_no => insertBatch(db, {
    ...file, school_id, batch_no, template, columns: '[]', params: JSON.stringify({ options }),
    created_by: me.user_id, created_by_name: me.user_name, created_at: now,
  }))
}

/** Numbers of one second differ in four drawn digits; a taken one is drawn again. */
export async function freshBatchNo({ school_id, now }: Pick<JobsCtx, 'school_id' | 'now'>, insert: (batch_no: string) => Promise<boolean>): Promise<string> {
  const second = new Date(now.getTime() + shanghai_ms).toISOString().replace(/\D/g, '').slice(0, 14)
  for (let at = 0; at < tries; at++) {
    const batch_no = `${school_id}${second}${String(randomInt(10_000)).padStart(4, '0')}`
    if (await insert(batch_no)) return batch_no
  }
  throw fail(commonErrors.busy)
}

/**
 * Starts the dry run of a sheet that a job has written, as an upload of its identity; the template is his own affair.
 * @param file a kept file of purpose `import`
 * @returns its batch_no
 */
export async function startSheet(desk: JobStarter, template: Pick<AnyTemplate, 'code' | 'title'>, file: KeptFile): Promise<string> {
  const { db: handle, school_id, me, now } = desk
  const db = asTables<unknown>(handle)
  const batch_no = await freshBatchNo(desk, no => insertBatch(db, {
    ...file, school_id, batch_no: no, template: template.code, columns: '[]', params: JSON.stringify({ options: [] }), created_by: me.user_id, created_by_name: me.user_name, created_at: now,
  }))
  const job_no = await enqueueJob(desk, { kind: parse_kind, title: `${template.title}：${file.file_name}`, params: { batch_no } })
  await changeBatch(db, { school_id, batch_no }, ['uploaded'], { job_no })
  await addWork(db, { school_id, kind: 'import_drop', ref: batch_no, due_at: dropBatchAt(now) })
  return batch_no
}

/** When the rows and the file of a batch go. */
export function dropBatchAt(now: Date): Date {
  return new Date(now.getTime() + kept_days * day_ms)
}
