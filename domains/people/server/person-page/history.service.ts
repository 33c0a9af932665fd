import { archiveChanges } from '@campus/audit/server'
import { most_history } from '@campus/people/contract'
import type { HistoryLine, personHistoryApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import type { PeopleCtx } from '../db.ts'
import { seenPerson } from './seen-person.ts'

/** What became of one field of a person, newest first, protected values masked. @throws Refusal 404 for a person the reader may not see */
export async function readHistory(ctx: PeopleCtx, { id, field }: Input<typeof personHistoryApi.history>): Promise<Reply<typeof personHistoryApi.history>> {
  // Asks the row scope of every facet by itself.
  await seenPerson(ctx, id)
  ctx.scoped()
  const rows = await ctx.db
    .selectFrom('archive_log_v')
    .select(['log_id', 'happened_at', 'changes', 'source', 'batch_no', 'command_id', 'user_name as actor'])
    .where('school_id', '=', ctx.school_id)
    .where('person_id', '=', id)
    .where(eb => eb(eb.ref('fields'), '@>', eb.val([field])))
    .orderBy('happened_at', 'desc')
    .orderBy('log_id', 'desc')
    .limit(most_history)
    .execute()
  return { list: rows.flatMap(({ changes, happened_at, ...row }) => lineOf(changes, field).map(change => ({ ...row, happened_at: happened_at.toISOString(), change }))) }
}

function lineOf(changes: unknown, field: string): HistoryLine['change'][] {
  return archiveChanges(changes).filter(change => change.field === field)
}
