import { schoolErrors, schoolEvents } from '@campus/school/contract'
import type { dictionaryEditApi, DictionaryLine, DictionaryType } from '@campus/school/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { SchoolCtx } from './db.ts'
import { findLine, findStandard, findType, isNameTaken, listLines, listTypes, writeItem } from './dictionary-edit.queries.ts'

type Draft = Input<typeof dictionaryEditApi.add>

/** Every dictionary type with how many items it has and how many of them are the school's own words. */
export async function readTypes(ctx: SchoolCtx): Promise<{ list: DictionaryType[] }> {
  return { list: await listTypes(ctx.db, ctx.school_id) }
}

/** All items of a type, disabled ones too, in their order. */
export async function readLines(ctx: SchoolCtx, sc_code_type: string): Promise<{ list: DictionaryLine[] }> {
  if (!(await findType(ctx.db, sc_code_type))) throw fail(schoolErrors.dictTypeMissing)
  return { list: await listLines(ctx.db, ctx.school_id, sc_code_type) }
}

/**
 * Adds an item of the school's own.
 * @throws Refusal 404 unknown type, 422 standard type, 409 the code was used before or the name is taken (N6)
 */
export async function addItem(ctx: SchoolCtx, draft: Draft): Promise<DictionaryLine> {
  await refuseStandard(ctx, draft.sc_code_type)
  if (await findLine(ctx.db, ctx.school_id, draft)) throw fail(schoolErrors.dictCodeTaken)
  return save(ctx, draft, null)
}

/**
 * Renames, moves, disables or enables an item; of a standard one the school's own words are kept beside it.
 * @throws Refusal 404 unknown item or type, 422 standard type, 409 the name is taken
 */
export async function changeItem(ctx: SchoolCtx, draft: Draft): Promise<DictionaryLine> {
  await refuseStandard(ctx, draft.sc_code_type)
  const before = await findLine(ctx.db, ctx.school_id, draft)
  if (!before) throw fail(schoolErrors.dictItemMissing)
  return save(ctx, draft, before)
}

async function refuseStandard(ctx: SchoolCtx, sc_code_type: string): Promise<void> {
  const type = await findType(ctx.db, sc_code_type)
  if (!type) throw fail(schoolErrors.dictTypeMissing)
  if (!type.editable) throw fail(schoolErrors.dictStandard)
}

async function save(ctx: SchoolCtx, draft: Draft, before: DictionaryLine | null): Promise<DictionaryLine> {
  if (await isNameTaken(ctx.db, ctx.school_id, draft)) throw fail(schoolErrors.nameTaken)
  await writeItem(ctx.db, { ...draft, school_id: ctx.school_id, by: ctx.me.user_id, now: ctx.now })
  const { sc_code_type, sc_code_item, name, order, enabled } = draft
  ctx.note({
    target_kind: 'dictionary_item',
    target_id: `${sc_code_type}/${sc_code_item}`,
    target_name: name,
    ...(before ? { before: { name: before.name, order: before.order, enabled: before.enabled } } : {}),
    after: { name, order, enabled },
  })
  await publish(ctx, schoolEvents.dictChanged, { sc_code_type })
  return { ...draft, own: true, standard_name: (await findStandard(ctx.db, draft))?.name ?? null }
}
