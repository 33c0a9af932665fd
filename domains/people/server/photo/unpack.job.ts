import { randomUUID } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { keepMade, release } from '@campus/files/server'
import { addWork, enqueueJob, startSheet } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import type { photoApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { writeTemplate } from '@kit/server/excel'
import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { Boot, Pre } from '@kit/server/http'
import { rewritePicture } from '@kit/server/image'
import { z } from 'zod'
import { chunks } from '../bulk.ts'
import type { PeopleCtx } from '../db.ts'
import { brought_kind, foreign_mark, photo_columns, photo_templates } from './photo.columns.ts'
import type { PhotoCode } from './photo.columns.ts'
import { foreignFormat } from './photo-name.ts'
import { readPacked, readZip, ZipRefused } from './zip.ts'
import type { Packed } from './zip.ts'

const job_kind = 'people_photo_unpack'
const Params = z.object({ code: z.enum(['student_photo', 'teacher_photo']), file_key: z.string(), file_name: z.string() })
/** The product's size of a photo of somebody (00: images). */
const fit = { width: 720, height: 1280 }
const per_step = 20
const day_ms = 86_400_000
/** A day longer than an import can be taken back. */
const kept_days = 31

/** Keeps the archive and starts the job that unpacks it; an archive that comes to nothing goes with the due list. */
export async function uploadPhotos(pre: Pre, code: PhotoCode): Promise<(ctx: PeopleCtx) => Promise<Reply<typeof photoApi.student>>> {
  const { me, file, app, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  if (!file) throw fail(commonErrors.malformed)
  const file_key = await app.files.keep(file.path, me.school_id, 'import', '.zip')
  await pre.own<unknown, void>(me.school_id, db => addWork(db, { school_id: me.school_id, kind: 'import_orphan', ref: file_key, due_at: new Date(now.getTime() + day_ms) }))
  const file_name = [...file.file_name].slice(-200).join('')
  return async ctx => {
    const job_no = await enqueueJob(ctx, { kind: job_kind, title: `解压照片：${file_name}`, params: { code, file_key, file_name } })
    ctx.note({ target_kind: 'people.photo', target_name: file_name, job_no })
    return { job_no }
  }
}

type Line = { file: string; who: string; photo: string }

/** Unpacks an archive: every picture is written anew and kept, whatever is none is told; then the dry run of the lines begins. */
export function unpackJob({ database }: Pick<Boot, 'database'>): JobKind {
  return {
    kind: job_kind,
    async run(job) {
      const { code, file_key, file_name } = Params.parse(job.params)
      const path = job.app.files.pathOf(file_key)
      const archive = await open(path).catch(() => null)
      if (!archive) return job.refuse('压缩包已过期，请重新上传')
      try {
        const lines = await unpack(job, database, archive)
        await hand(job, code, file_name, lines)
      } catch (error) {
        if (error instanceof ZipRefused) job.refuse(error.message)
        throw error
      } finally {
        await archive.close()
      }
      await job.app.files.discard(path)
    },
  }
}

async function unpack(job: JobRun, database: Boot['database'], archive: FileHandle): Promise<Line[]> {
  const entries = await readZip(archive, (await archive.stat()).size)
  if (entries.length === 0) job.refuse('压缩包中没有照片')
  await job.stage('读取照片', entries.length)
  const earlier = job.committed.done
  await job.step<unknown>(async db => {
    const due_at = new Date(job.app.clock.now().getTime() + kept_days * day_ms)
    await setTimer({ app: job.app, db, school_id: job.school_id }, { kind: brought_kind, ref: job.job_no, due_at })
    return { done: 0 }
  })
  const lines: Line[] = []
  for (const part of chunks(entries, per_step)) {
    const kept: Kept[] = []
    for (const entry of part) kept.push(await keepPicture(job, database, archive, entry))
    await job.step<unknown>(async db => {
      const place = { app: job.app, db, school_id: job.school_id, now: job.app.clock.now() }
      for (const one of kept) await one.enter?.(place, { ref_kind: brought_kind, ref_id: job.job_no })
      // An attempt after a crash reads everything again, and counts only what no earlier one has counted.
      return { done: Math.max(0, lines.length + part.length - Math.max(lines.length, earlier)) }
    })
    lines.push(...kept.map(one => one.line))
  }
  return lines
}

/** A line with what enters its picture; null for none. */
type Kept = { line: Line; enter: Awaited<ReturnType<typeof keepMade>> | null }

async function keepPicture(job: JobRun, database: Boot['database'], archive: FileHandle, entry: Packed): Promise<Kept> {
  const file = basename(entry.name)
  const line = { file, who: file.slice(0, file.length - extname(file).length).trim(), photo: '' }
  const bytes = await readPacked(archive, entry)
  const picture = bytes && (await rewritePicture(bytes, fit))
  if (!picture) {
    const format = foreignFormat(file, bytes)
    return { line: format === null ? line : { ...line, photo: `${foreign_mark}${format}` }, enter: null }
  }
  const { school_id, app, me } = job
  const day = app.clock.now().toISOString().slice(0, 10).replaceAll('-', '')
  const file_key = `${school_id}/${me.user_id}/${day}/${randomUUID()}.${picture.mime === 'image/jpeg' ? 'jpg' : picture.mime.slice('image/'.length)}`
  const { width, height } = picture
  const enter = await keepMade({ app, own: database.tenant.bind(database), now: app.clock.now() }, school_id, me.user_id, { file_key, purpose: 'avatar', bytes: picture.bytes, width, height })
  return { line: { ...line, photo: file_key }, enter }
}

/** The lines as a sheet, whose dry run begins. */
async function hand(job: JobRun, code: PhotoCode, file_name: string, lines: readonly Line[]): Promise<void> {
  const { app, school_id, me } = job
  const { title, sheet } = photo_templates[code]
  const scratch = app.files.scratch()
  const columns = photo_columns(code).map(({ prop, label }) => ({ prop, label, required: false, text: true }))
  await writeFile(scratch, await writeTemplate({ sheet, notes: [title], columns, samples: lines.map(({ file, who, photo }) => [file, who, photo]) }))
  const file_key = await app.files.keep(scratch, school_id, 'import', '.xlsx')
  await job.step<unknown>(async db => {
    const now = app.clock.now()
    await startSheet({ db, app, school_id, me, now }, { code, title }, { file_key, file_name: `${basename(file_name, extname(file_name))}.xlsx` })
    return { done: 0 }
  })
}

/** The pictures of an archive are held no more: those that are somebody's stay his. */
export const photosBrought: TimerKind = {
  kind: brought_kind,
  async run(db, { app, school_id, ref, now }) {
    await release({ app, db, school_id, now }, { ref_kind: brought_kind, ref_id: ref })
  },
}
