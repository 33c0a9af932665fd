import { fieldNames, messagesErrors, wordsProblem } from '@campus/messages/contract'
import type { MessageTemplate, templateApi, TemplateRow } from '@campus/messages/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { MessagesCtx } from './db.ts'
import { readTemplate } from './template.queries.ts'
import type { SchoolTemplate } from './template.queries.ts'
import { declaredTemplate, messageTemplatePort, sourceOf } from './template-port.ts'

/** Every template of the product as the school uses it. */
export async function listTemplates({ app, db, school_id }: MessagesCtx): Promise<{ list: TemplateRow[] }> {
  const list: TemplateRow[] = []
  for (const declared of messageTemplatePort.all(app)) list.push(rowOf(declared, await readTemplate(db, school_id, declared)))
  return { list: list.toSorted((a, b) => (a.code < b.code ? -1 : 1)) }
}

/** Changes words and channels of a template. @throws Refusal 422 when the words name other fields or do not fit, 409 when somebody was first */
export async function saveTemplate(ctx: MessagesCtx, { code, row_version, ...draft }: Input<typeof templateApi.save>): Promise<TemplateRow> {
  const { app, db, school_id } = ctx
  const declared = declaredTemplate(app, code)
  if (!declared) throw fail(messagesErrors.templateUnknown)
  const problem = wordsProblem(draft, declared)
  if (problem !== null) throw fail(messagesErrors.wordsWrong, { params: { problem } })
  const before = await readTemplate(db, school_id, declared)
  const set = { ...draft, row_version: row_version + 1 }
  const saved = await db
    .insertInto('message_template')
    .values({ school_id, code, ...set })
    .onConflict(on => on.columns(['school_id', 'code']).doUpdateSet(set).where('message_template.row_version', '=', row_version))
    .executeTakeFirst()
  if (row_version !== before.row_version || saved.numInsertedOrUpdatedRows !== 1n) throw fail(commonErrors.stale)
  ctx.note({ target_kind: 'messages.template', target_id: code, target_name: declared.name, before: { title: before.title, body: before.body }, after: { title: draft.title, body: draft.body } })
  return rowOf(declared, await readTemplate(db, school_id, declared))
}

function rowOf(declared: MessageTemplate, { channels, ...used }: SchoolTemplate): TemplateRow {
  const { code, name, fields } = declared
  return { code, name, source: sourceOf(declared), fields: { ...fields }, field_names: fieldNames(declared), channels: [...channels], ...used }
}
