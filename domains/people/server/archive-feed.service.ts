import { archiveChanges } from '@campus/audit/server'
import type { archiveFeedApi, FeedRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { feedLines, isCommand } from './archive-feed.queries.ts'
import { wasSubject } from './change/change.queries.ts'
import { isIn, validOn } from './dated.ts'
import { addDays, schoolDay, schoolTime } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { deptScope, inScope } from './scope.ts'
import type { Tree } from './scope.ts'

type Query = Input<typeof archiveFeedApi.student>

const kinds = { student: [1], staff: [2, 6, 7] } as const
const position_form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/([0-9a-f-]{36})$/
const midnight = '00:00'

/**
 * What changed in the archives of the people of a tree, newest first: those whom the reader may see today.
 * @throws Refusal 404 for a person or a command that the school does not and never did know
 */
export async function readFeed(ctx: PeopleCtx, tree: Tree, query: Query): Promise<Reply<typeof archiveFeedApi.student>> {
  const { school_id } = ctx
  const { from, to, cursor, page_size, ...asked } = query
  const seen = await seenPeople(ctx, tree)
  await refuseUnknown(ctx, asked)
  const begin = from === undefined ? undefined : schoolTime(from, midnight)
  const end = to === undefined ? undefined : schoolTime(addDays(to, 1), midnight)
  const found = await feedLines(ctx.db, { ...asked, school_id, person_kinds: kinds[tree], seen, begin, end, before: positionOf(cursor) }, page_size + 1)
  const lines = found.slice(0, page_size)
  return { list: lines.map(toRow), older: found.length > page_size ? (lines.at(-1)?.position ?? null) : null }
}

async function refuseUnknown({ db, school_id }: PeopleCtx, { user_id, command_id }: Pick<Query, 'user_id' | 'command_id'>): Promise<void> {
  const is_person = user_id === undefined || (await wasSubject(db, school_id, user_id))
  const is_command = command_id === undefined || (await isCommand(db, school_id, command_id))
  if (!is_person || !is_command) throw fail(commonErrors.notFound)
}

/** Who sees the whole tree sees those who left too; everybody else the people of his departments. */
async function seenPeople(ctx: PeopleCtx, tree: Tree): Promise<RawBuilder<boolean>> {
  const on = schoolDay(ctx.now)
  const scope = await deptScope(ctx, tree, on)
  if (scope === 'all') return sql<boolean>`true`
  const members = sql`select m.user_id from dept_member m where m.school_id = ${ctx.school_id} and m.member_kind = ${tree} and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}`
  return isIn('l.person_id', members)
}

function positionOf(cursor: string | undefined): { at: string; log_id: string } | undefined {
  if (cursor === undefined) return undefined
  const [, at, log_id] = position_form.exec(cursor) ?? []
  if (at === undefined || log_id === undefined) throw fail(commonErrors.malformed)
  return { at, log_id }
}

function toRow(line: Awaited<ReturnType<typeof feedLines>>[number]): FeedRow {
  const { log_id, dept_name, op_type, source, batch_no, command_id, role_name, acted_for } = line
  return {
    log_id, dept_name, op_type, source, batch_no, command_id, role_name, acted_for,
    user_id: line.person_id, user_no: line.person_no, user_name: line.person_name, actor: line.actor_name,
    happened_at: line.happened_at.toISOString(), changes: archiveChanges(line.changes),
  }
}
