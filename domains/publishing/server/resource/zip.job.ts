import { read } from '@campus/files/server'
import { enqueueJob, exportFile } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { publishingErrors } from '@campus/publishing/contract'
import type { educationApi } from '@campus/publishing/contract'
import { fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { minuteText, writeZip } from '@kit/server/excel'
import type { ZipPart } from '@kit/server/excel'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { findChosen } from './resource.queries.ts'
import { savedName } from './saved-name.ts'

const zip_job = 'publishing_resource_zip'
/** One file is in memory at a time while the archive is written. */
const most_bytes_each = 200 * 1024 * 1024
const most_bytes = 1024 * 1024 * 1024
const kept_hours = 24
const Params = z.object({ files: z.array(z.object({ file_key: z.string(), name: z.string() })) })

/**
 * 打包下载: begins to write chosen resources into one archive (chapter 60 rule 28).
 * @throws Refusal 404 for what cannot be seen, zipTooLarge
 */
export async function zipResources(
  ctx: PublishingCtx,
  { resource_ids }: Input<typeof educationApi.zip>,
): Promise<Reply<typeof educationApi.zip>> {
  const chosen = await findChosen(ctx, resource_ids)
  const { rows } = await sql<{ bytes: number }>`
    select r.bytes::float8 as bytes from publishing_resource r
    where r.school_id = ${ctx.school_id} and r.resource_id = any(${chosen.map(one => one.resource_id)}::bigint[])`.execute(ctx.db)
  const sizes = rows.map(row => row.bytes)
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  if (Math.max(...sizes) > most_bytes_each || total > most_bytes) throw fail(publishingErrors.zipTooLarge)
  const files = chosen.map(({ cdn_name, resource_name }) => ({ file_key: cdn_name, name: resource_name }))
  const job_no = await enqueueJob(ctx, {
    kind: zip_job,
    title: `打包下载资源（${files.length}个）`,
    params: { files },
    total: files.length,
    keep_hours: kept_hours,
  })
  ctx.note({ target_kind: 'publishing.resource', target_name: `打包下载 ${files.length}个`, job_no })
  return { job_no }
}

/** Writes the archive; an attempt after a crash writes it anew. */
export function zipJob({ database }: Pick<Boot, 'database'>): JobKind {
  return {
    kind: zip_job,
    async run(job) {
      const { files } = Params.parse(job.params)
      const own = database.tenant.bind(database)
      const now = job.app.clock.now()
      await job.stage('打包文件', files.length)
      const { file_key, path } = await exportFile(job, '.zip')
      const load = (key: string) =>
        read({ app: job.app, own, now }, { school_id: job.school_id, file_key: key }).then(file => file.bytes, unlessGone)
      await writeZip(path, partsOf(job, files, load))
      await job.result(file_key, `资源_${minuteText(now).replace(/[-: ]/gu, '')}.zip`).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
    },
  }
}

type Packed = z.output<typeof Params>['files'][number]
type Load = (file_key: string) => Promise<Buffer | null>

async function* partsOf(job: JobRun, files: readonly Packed[], load: Load): AsyncGenerator<ZipPart> {
  const names = distinctNames(files)
  for (const [at, { file_key }] of files.entries()) {
    const bytes = await load(file_key)
    if (bytes) yield { name: names[at] ?? file_key, bytes }
    if (at >= job.committed.done) await job.step<unknown>(async () => ({ done: 1 }))
  }
}

/** Names as they are saved; of several alike every further one has its number. */
function distinctNames(files: readonly Packed[]): string[] {
  const taken = new Map<string, number>()
  return files.map(({ file_key, name }) => {
    const saved = savedName(name, file_key)
    const n = (taken.get(saved.toLowerCase()) ?? 0) + 1
    taken.set(saved.toLowerCase(), n)
    const dot = saved.lastIndexOf('.')
    return n === 1 ? saved : `${saved.slice(0, dot)}（${n}）${saved.slice(dot)}`
  })
}

/** What was deleted meanwhile is left out. */
function unlessGone(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
