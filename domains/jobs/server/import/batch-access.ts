import { batch_view_all, jobsErrors } from '@campus/jobs/contract'
import { commonErrors, fail } from '@kit/contract'
import type { App, Me } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { importTemplatePort } from '@kit/server/excel'
import type { AnyTemplate } from '@kit/server/excel'
import { findBatch } from './batch.queries.ts'
import type { BatchRow } from './batch.queries.ts'
import type { SheetFile } from './sheet-cache.ts'

/**
 * The template of a code, for somebody who may use it.
 * @throws Refusal 404 unknownTemplate, 403 without the template's own permission
 */
export function usableTemplate(app: App, me: Me, code: string): AnyTemplate {
  const template = importTemplatePort.all(app).find(one => one.code === code)
  if (!template) throw fail(jobsErrors.unknownTemplate)
  if (!me.codes.has(template.need)) throw fail(commonErrors.forbidden)
  return template
}

/** Whose batches the person sees: null = everybody's. */
export function visibleOwner(me: Me): string | null {
  return me.codes.has(batch_view_all) ? null : me.user_id
}

/** Own batches may be seen and changed; jobs.batch.view_all lets the others be seen only. */
export type Purpose = 'see' | 'change'
export type UsableBatch = { batch: BatchRow; template: AnyTemplate }

/**
 * A batch of the person with its template.
 * @throws Refusal 404 for a missing batch and for somebody else's alike, 403 without the template's permission
 */
export async function usableBatch(app: App, me: Me, db: Kysely<unknown>, batch_no: string, purpose: Purpose): Promise<UsableBatch> {
  const batch = await findBatch(db, { school_id: me.school_id, batch_no }, purpose === 'see' ? visibleOwner(me) : me.user_id)
  if (!batch) throw fail(jobsErrors.batchNotFound)
  return { batch, template: usableTemplate(app, me, batch.template) }
}

const Params = z.object({ options: z.array(z.string()).default([]) })

/** The switches given at upload. */
export function optionsOf(batch: Pick<BatchRow, 'params'>): ReadonlySet<string> {
  return new Set(Params.parse(batch.params).options)
}

/** Where the file of a batch lies. */
export function fileOf(app: App, { file_key, file_name }: Pick<BatchRow, 'file_key' | 'file_name'>): SheetFile {
  return { file_key, file_name, path: app.files.pathOf(file_key) }
}
