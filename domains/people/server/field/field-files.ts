import { filesErrors } from '@campus/files/contract'
import { claim, eraseFile, filesOf, release } from '@campus/files/server'
import { readFileValue } from '@campus/people/contract'
import type { ExtDraft, FieldFacet } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import type { Db, PeopleCtx, PeopleDb } from '../db.ts'
import type { Erase } from '../deletion/erase-port.ts'
import { storedExt } from './ext.ts'
import type { LiveField } from './ext.ts'
import { readFieldDefs } from './field.queries.ts'

/** The value of one field uses the file of this key. */
const ref_kind = 'people.field'

/** Uploads that a draft names, checked before the transaction, by key. */
export type Brought = ReadonlyMap<string, Awaited<ReturnType<typeof claim>>>
/** Of a draft that comes without uploads. */
export const nothing_brought: Brought = new Map()

type Draft = { user_id?: string | undefined; ext?: ExtDraft | undefined }

/**
 * Checks what a draft has uploaded for fields of type file; values that stand in the file already are left alone.
 * @throws Refusal 404 for a key that is not the caller's own, 415 for bytes that are not what they should be
 */
export async function bring(pre: Pre, facet: FieldFacet, { user_id, ext = {} }: Draft): Promise<Brought> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  if (Object.keys(ext).length === 0) return nothing_brought
  const wanted = await pre.own<PeopleDb, string[]>(me.school_id, async db => {
    const named = codesOf(await readFieldDefs(db, me.school_id, facet)).flatMap(code => readFileValue(ext[code])?.file_key ?? [])
    if (named.length === 0 || user_id === undefined) return named
    const standing = await keysOf(db, { school_id: me.school_id, user_id, facet })
    return named.filter(key => !standing.includes(key))
  })
  const brought = new Map<string, Awaited<ReturnType<typeof claim>>>()
  for (const file_key of wanted) brought.set(file_key, await claim(pre, { file_key, purpose: 'person_file' }))
  return brought
}

/**
 * Files of values that are written come into use, those they replace go out of it.
 * @throws Refusal 404 for a file that was not brought for this, or that another value uses
 */
export async function enterFiles(ctx: PeopleCtx, fields: readonly LiveField[], { before, said }: { before: Readonly<Record<string, string>>; said: ExtDraft }, brought: Brought): Promise<void> {
  for (const { field_code, type } of fields) {
    const text = said[field_code]
    if (type !== 'file' || text === undefined) continue
    const gone = readFileValue(before[field_code])?.file_key
    if (gone !== undefined) await release(ctx, { ref_kind, ref_id: gone }, { file_key: gone })
    const file_key = readFileValue(text)?.file_key
    if (file_key !== undefined) await enterFile(ctx, file_key, brought)
  }
}

async function enterFile(ctx: PeopleCtx, file_key: string, brought: Brought): Promise<void> {
  const ref = { ref_kind, ref_id: file_key }
  const enter = brought.get(file_key)
  if (!enter || (await filesOf(ctx.db, ctx.school_id, ref)).length > 0) throw fail(filesErrors.missing)
  await enter(ctx, ref)
}

function codesOf(fields: readonly { field_code: string; type: string }[]): string[] {
  return fields.flatMap(field => (field.type === 'file' ? [field.field_code] : []))
}

type Whose = { school_id: number; user_id: string; facet: FieldFacet }

/** Keys of what was uploaded for the fields of a file; a text that looks like a key is none. */
async function keysOf(db: Db, { school_id, user_id, facet }: Whose): Promise<string[]> {
  const codes = codesOf(await readFieldDefs(db, school_id, facet))
  if (codes.length === 0) return []
  const row = await db.selectFrom(facet).select('ext').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  const ext = storedExt(row?.ext)
  return codes.flatMap(code => readFileValue(ext[code])?.file_key ?? [])
}

/** What was uploaded for the fields of his files, those that are no longer asked included. */
export const field_files: Erase = {
  domain: 'people',
  title: '档案附件',
  stage: 'object',
  tables: [],
  stays: {},
  async erase({ db: handle, app, school_id, now, user_id }) {
    const db = asTables<PeopleDb>(handle)
    const keys = [...(await keysOf(db, { school_id, user_id, facet: 'student' })), ...(await keysOf(db, { school_id, user_id, facet: 'staff' }))]
    const proofs: Awaited<ReturnType<Erase['erase']>> = []
    for (const [at, file_key] of keys.entries()) {
      const store = await eraseFile({ app, db, school_id, now }, file_key)
      // A proof is named by its store: each file has one of its own.
      if (store !== null) proofs.push({ store: `object:${store}:field-${at + 1}`, title: '档案附件', ref: file_key, action: 'deleted', acked: false })
    }
    return proofs
  },
}
