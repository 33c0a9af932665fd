import { AI_WARN_KIND, AI_WARN_STATE } from '@campus/devices/contract'
import { read } from '@campus/files/server'
import { exportFile } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { Refusal } from '@kit/contract'
import { minuteText, quoteText, writeZip } from '@kit/server/excel'
import type { ZipPart } from '@kit/server/excel'
import type { Boot } from '@kit/server/http'
import { burnIn, NoFonts } from '@kit/server/image'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { DevicesDb } from '../db.ts'
import { readTheseWarnings } from './record.queries.ts'
import type { WarningRecord } from './record.queries.ts'

/** The kind of job that writes pictures of warnings. */
export const image_job = 'devices_ai_images'
const Params = z.object({ warning_ids: z.array(z.string()), reason: z.string() })
const columns = ['文件', '预警编号', '预警类型', '场所', '摄像机', '规则', '开始时间', '结束时间', '次数', '状态', '处理人', '处理时间', '图片时间'] as const
const utf8_mark = '\uFEFF'
const no_fonts = '服务器没有可用的中文字体，无法加水印，图片没有导出。请联系系统管理员安装字体后重试'

/** Writes the archive: every picture with its watermark, and a list of what is in it. An attempt after a crash writes it anew. */
export function imageExportJob({ database }: Pick<Boot, 'database'>): JobKind {
  return {
    kind: image_job,
    async run(job) {
      const { warning_ids, reason } = Params.parse(job.params)
      const own = database.tenant.bind(database)
      const now = job.app.clock.now()
      const warnings = await job.read<DevicesDb, WarningRecord[]>(db => readTheseWarnings(db, job.school_id, warning_ids))
      await job.stage('写入图片', warnings.length)
      const mark = `${job.me.user_name}（${job.me.user_no}）${minuteText(now)}`
      const { file_key, path } = await exportFile(job, '.zip')
      const count = { images: 0 }
      const load = (key: string) => read({ app: job.app, own, now }, { school_id: job.school_id, file_key: key }).then(file => file.bytes, unlessGone)
      const sha256 = await writeZip(path, partsOf(job, warnings, { mark, reason, load, count })).catch((error: unknown) => {
        if (error instanceof NoFonts) job.refuse(no_fonts)
        throw error
      })
      const keep = async () => {
        await job.step<DevicesDb>(async db => {
          await db.updateTable('ai_image_export').set({ images: count.images, file_key, sha256 }).where('school_id', '=', job.school_id).where('job_no', '=', job.job_no).execute()
          return { done: 0 }
        })
        await job.result(file_key, `AI预警图片_${minuteText(now).replace(/[-: ]/gu, '')}.zip`)
      }
      await keep().catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
    },
  }
}

type Desk = { mark: string; reason: string; load: (file_key: string) => Promise<Buffer | null>; count: { images: number } }

async function* partsOf(job: JobRun, warnings: readonly WarningRecord[], { mark, reason, load, count }: Desk): AsyncGenerator<ZipPart> {
  const lines: string[][] = [[`导出人 ${mark}`, `原因 ${reason}`], [...columns]]
  for (const [at, warning] of warnings.entries()) {
    for (const [n, image] of warning.images.entries()) {
      const bytes = image.file_key === null ? null : await load(image.file_key)
      if (!bytes) continue
      const name = `${warning.warning_id}_${n + 1}.jpg`
      yield { name, bytes: await burnIn(bytes, mark) }
      lines.push(lineOf(name, warning, image.at))
      count.images += 1
    }
    if (at >= job.committed.done) await job.step<unknown>(async () => ({ done: 1 }))
  }
  yield { name: 'manifest.csv', bytes: Buffer.from(`${utf8_mark}${lines.map(line => line.map(cell).join(',')).join('\r\n')}\r\n`) }
}

function lineOf(name: string, warning: WarningRecord, image_at: string): string[] {
  return [
    name, warning.warning_id, AI_WARN_KIND.names[warning.warn_kind], warning.node_path_name ?? '已停用的场所', warning.camera_name, warning.rule_name, minuteText(warning.begin_at), minuteText(warning.end_at), String(warning.hits),
    AI_WARN_STATE.names[warning.state], warning.decided_name ?? '', warning.decided_at === null ? '' : minuteText(warning.decided_at), minuteText(new Date(image_at)),
  ]
}

/** A cell that no spreadsheet runs as a formula. */
function cell(text: string): string {
  return `"${quoteText(text).replaceAll('"', '""')}"`
}

/** A picture whose time has come meanwhile is left out. */
function unlessGone(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
