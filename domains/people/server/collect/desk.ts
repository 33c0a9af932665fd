import type { ArchiveChange } from '@campus/audit/server'
import { choosing } from '@campus/people/contract'
import type { CollectField, FieldFacet, FileNotice } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { z } from 'zod'
import { customValues, liveFields, readExt } from '../field/ext.ts'
import type { FieldDesk, LiveField } from '../field/ext.ts'
import { invalid } from '../student-file.trouble.ts'
import type { Trouble } from '../student-file.trouble.ts'
import type { SaidValues } from './values.ts'

/** What an answer would change today, what is wrong with it, what somebody must have looked at. */
export type JudgedAnswer = { changes: ArchiveChange[]; troubles: Trouble[]; warnings: FileNotice[] }

/** One person's file as an answer is held against it. */
export type CollectSubject = {
  user_name: string
  /** the questions of a task with what the file says; protected values masked, fields that were switched off since left out */
  questions: (field_codes: readonly string[]) => CollectField[]
  /** judges an answer by the rules of the file itself (acceptance 20-A18), without writing */
  judge: (said: SaidValues) => Promise<JudgedAnswer>
  /** writes it by the way of every edit of the file; throws as an edit does */
  save: (said: SaidValues, accept_warnings: string[]) => Promise<void>
}

/** The files a task is about. */
export type CollectDesk = {
  /** said to a reviewer of somebody who is not here any more */
  gone: string
  /** undefined when the person is not here any more */
  subject: (user_id: string) => Promise<CollectSubject | undefined>
}

const ext_prefix = 'ext.'

/** The code of a field of the school's own; null for a built-in one. */
function extCode(field_code: string): string | null {
  return field_code.startsWith(ext_prefix) ? field_code.slice(ext_prefix.length) : null
}

/** The school's own fields as a task may ask them. */
export async function customAskable(desk: FieldDesk, facet: FieldFacet): Promise<{ field_code: string; label: string }[]> {
  return (await liveFields(desk, facet)).filter(field => field.type !== 'file').map(({ field_code, label }) => ({ field_code: `${ext_prefix}${field_code}`, label }))
}

/** A question about a field of the school's own; null for one that is not asked any more. */
export function customQuestion(fields: readonly LiveField[], ext: unknown, field_code: string): CollectField | null {
  const field = customValues(fields, readExt(ext, fields)).find(one => one.field_code === extCode(field_code))
  if (!field) return null
  const { label, type, value, level } = field
  const options = choosing(type) && type !== 'multi' ? (field.options ?? []).map(option => ({ value: option, label: option })) : null
  return { field_code, label, options, value, is_masked: level === 3 && value !== null, note: type === 'multi' ? `可填：${(field.options ?? []).join('、')}` : '' }
}

/** The answer as an edit of the file in the shape `schema` demands, or what is wrong with it. A number alone is one of the document the file knows. */
export function readSaid<T>(schema: z.ZodType<T>, said: SaidValues, { user_id, row_version, id_type }: { user_id: string; row_version: number; id_type: string | null }): { patch: T | null; troubles: Trouble[] } {
  const entries = Object.entries(said)
  const ext = Object.fromEntries(entries.flatMap(([code, value]) => (extCode(code) === null ? [] : [[extCode(code), value]])))
  const own = Object.fromEntries(entries.filter(([code]) => extCode(code) === null))
  const document = own.id_no && own.id_type === undefined ? { id_type } : {}
  const read = schema.safeParse({ user_id, row_version, ...own, ...document, ...(Object.keys(ext).length > 0 ? { ext } : {}) })
  if (read.success) return { patch: read.data, troubles: [] }
  return { patch: null, troubles: read.error.issues.map(issue => invalid(issue.path.join('.'), issue.message)) }
}

/** @throws Refusal 422 with the fields that are wrong */
export function requirePatch<T>({ patch, troubles }: { patch: T | null; troubles: readonly Trouble[] }): T {
  if (patch === null) throw fail(commonErrors.invalid, { errors: troubles.map(({ field, msg = '' }) => ({ field, msg })) })
  return patch
}
