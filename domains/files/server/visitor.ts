import { randomBytes } from 'node:crypto'
import { filesErrors, kind_extensions, mostMegabytes, purpose_facts } from '@campus/files/contract'
import type { FileKind } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Desk, FilesHandle } from './db.ts'
import { extensionMimes } from './magic.ts'
import { state } from './object.queries.ts'
import { keyDay } from './school-day.ts'
import { embeddedForm, storeRegion } from './ticket-form.ts'
import type { OssType } from './ticket-form.ts'

/** Whose files those are that somebody without an account has brought. */
export const visitor_id = '0'
const form_ms = 3_600_000
const folder_bytes = 16
const mebi = 1024 * 1024
/** A school's families together; a flood of uploads ends here and not at the end of the disk. */
const most_waiting = 4096 * mebi

/** A form for files of one kind: fields as they are, `key` = `dir` and a name, the file last. */
export type VisitorForm = { kind: FileKind; host: string; dir: string; fields: Record<string, string>; max_size: number; expire_at: string }

/**
 * Forms by which somebody without an account brings documents for an hour, so many files a form. Whoever asks has made sure that he may. Their names begin with a
 * secret of their own: who knows the key of a file has brought it. What no application has taken into use within a day goes.
 * @throws Refusal 503 while too much lies there that nothing has taken into use
 */
export async function visitorForms(pre: Desk, school_id: number, files: number): Promise<VisitorForm[]> {
  return formsFor(pre, school_id, { purpose: 'material', files })
}

/** A form by which a device sends pictures that it was asked for, for an hour; like a visitor's, and what nothing has taken into use within a day goes. @throws Refusal 503 */
export async function deviceForm(desk: Desk, school_id: number, files: number): Promise<VisitorForm> {
  const [form] = await formsFor(desk, school_id, { purpose: 'warning', files })
  if (!form) throw new Error('a device sends no files')
  return form
}

async function formsFor(pre: Desk, school_id: number, { purpose, files }: { purpose: 'material' | 'warning'; files: number }): Promise<VisitorForm[]> {
  const { now } = pre
  const { place, waiting } = await pre.own(school_id, async (db: FilesHandle) => ({ place: await readStorePlace(db, school_id), waiting: await waitingBytes(db, school_id) }))
  if (waiting > most_waiting) throw fail(filesErrors.visitorsFull)
  const store: OssType = place?.oss_type === 1 || place?.oss_type === 2 ? place.oss_type : 3
  const dir = `${school_id}/${visitor_id}/${keyDay(now)}/${randomBytes(folder_bytes).toString('hex')}-`
  const forms: VisitorForm[] = []
  for (const kind of purpose_facts[purpose].kinds) {
    const max_size = mostMegabytes(purpose, kind, true) * mebi
    const rule = { bucket: 'embedded', region: storeRegion(place?.oss_region), dir, max_size, mimes: extensionMimes(kind_extensions[kind].filter(ext => purpose_facts[purpose].extensions?.includes(ext))), now, expire_at: new Date(now.getTime() + form_ms) }
    const { form, host, expire_at } = await embeddedForm(pre, { school_id, user_id: visitor_id }, { oss_type: store, kind, purpose, is_override: false, files, rule })
    forms.push({ kind, host, dir, fields: form.fields, max_size, expire_at: expire_at.toISOString() })
  }
  return forms
}

/** Bytes of visitors that nothing has taken into use yet. */
async function waitingBytes(db: FilesHandle, school_id: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('file_object')
    .select(({ fn }) => fn.sum<string | null>('size').as('bytes'))
    .where('school_id', '=', school_id)
    .where('uploaded_by', '=', visitor_id)
    .where('state', 'in', [state.arriving, state.uploaded])
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}
