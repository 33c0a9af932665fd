import { ai_most_exported, AI_WARN_KIND, devicesErrors } from '@campus/devices/contract'
import type { aiRecordApi } from '@campus/devices/contract'
import { enqueueJob } from '@campus/jobs/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { refusedAt } from '../export-span.ts'
import { image_job } from './image-export.job.ts'
import { readWarnings } from './record.queries.ts'
import type { WarningRecord } from './record.queries.ts'
import { filterOf, requireWarnings } from './record.service.ts'

/** Archives of pictures of people live a day (decision 26). */
const kept_hours = 24

/**
 * Begins to write the pictures of warnings into an archive, with who took them and when burnt into each; who, what and why is written down now (chapter 30 §4).
 * @throws Refusal 400 exportReason, 404, 422 exportMany, exportNoImages
 */
export async function exportImages(ctx: DevicesCtx, { ids, filter: asked, reason }: Input<typeof aiRecordApi.export_images>): Promise<Reply<typeof aiRecordApi.export_images>> {
  if (reason === '') throw refusedAt('reason', devicesErrors.exportReason)
  const { db, school_id, me, now } = ctx
  const found = asked ? await readWarnings(db, await filterOf(ctx, asked), { limit: ai_most_exported + 1, offset: 0 }) : await requireWarnings(ctx, ids ?? [])
  if (found.length > ai_most_exported) throw fail(devicesErrors.exportMany, { params: { most: ai_most_exported } })
  const warnings = found.filter(hasImages)
  const warning_ids = warnings.map(warning => warning.warning_id)
  if (warning_ids.length === 0) throw fail(devicesErrors.exportNoImages)
  const job_no = await enqueueJob(ctx, { kind: image_job, title: `导出AI预警图片（${warning_ids.length}条）`, params: { warning_ids, reason }, total: warning_ids.length, keep_hours: kept_hours })
  await db.insertInto('ai_image_export').values({ school_id, user_id: me.user_id, role_name: me.role_name, at: now, job_no, asked: JSON.stringify(asked ?? { ids }), warning_ids, reason }).execute()
  ctx.note({ target_kind: 'devices.ai_warning', target_name: `${warning_ids.length}条AI预警的图片`, reason, job_no, after: { warning_ids, kinds: [...new Set(warnings.map(warning => AI_WARN_KIND.names[warning.warn_kind]))] } })
  return { job_no, count: warning_ids.length }
}

function hasImages({ images }: WarningRecord): boolean {
  return images.some(image => image.file_key !== null)
}
