import type { IdentityViews } from '@campus/identity/server'
import { merge_kinds, merge_signals, peopleErrors } from '@campus/people/contract'
import type { mergeApi, MergeCaseRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameKey } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { isIn, oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { seenBy } from '../tag.service.ts'
import { visible } from '../tag.queries.ts'
import { describePeople } from './pair.ts'

const Kind = z.enum(merge_kinds)
const Signals = z.array(z.enum(merge_signals))
const CaseState = z.enum(['open', 'dismissed', 'merged'])

/** Pairs the reader may see, the likeliest first. Pairs that were merged name both as they were. */
export async function listCases(ctx: PeopleCtx, { state, kind, keyword, page_index, page_size }: Input<typeof mergeApi.cases>): Promise<Reply<typeof mergeApi.cases>> {
  const { db, school_id } = ctx
  const named = keyword === undefined ? sql<boolean>`true` : sql<boolean>`exists (
    select from person p where p.school_id = ${school_id} and p.user_id in (c.a_user_id, c.b_user_id) and strpos(p.name_key, ${nameKey(keyword)}) > 0)`
  const seen = await bothSeen(ctx, 'c.a_user_id', 'c.b_user_id')
  const cases = db
    .selectFrom('merge_case as c')
    .where('c.school_id', '=', school_id)
    .where(named)
    .where(seen)
    .$if(state !== undefined, query => query.where('c.state', '=', state ?? ''))
    .$if(kind !== undefined, query => query.where('c.kind', '=', kind ?? ''))
  const { total } = await cases.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await cases.selectAll('c').orderBy('c.score', 'desc').orderBy('c.id').limit(page_size).offset((page_index - 1) * page_size).execute()
  const people = await describePeople(ctx, rows.flatMap(row => [row.a_user_id, row.b_user_id]), schoolDay(ctx.now))
  const names = await actors(ctx, rows.flatMap(row => row.decided_by ?? []))
  const list = rows.flatMap((row): MergeCaseRow[] => {
    const [a, b] = [people.get(row.a_user_id), people.get(row.b_user_id)]
    if (!a || !b) return []
    const decided_by = row.decided_by === null ? null : (names.get(row.decided_by) ?? null)
    return [{
      case_id: row.id, kind: Kind.parse(row.kind), score: row.score, signals: Signals.parse(row.signals), state: CaseState.parse(row.state), a, b,
      opened_at: row.opened_at.toISOString(), decided_by, decided_at: row.decided_at?.toISOString() ?? null,
    }]
  })
  return { list, total }
}

/** Both people of a pair lie in the reader's scope; whoever is merged counts as the person he is now. */
export async function bothSeen(ctx: PeopleCtx, ...columns: readonly string[]): Promise<RawBuilder<boolean>> {
  const seen = await seenBy(ctx)
  if (seen.student === 'all' && seen.staff === 'all') return sql<boolean>`true`
  const people = sql`select v.user_id from (${visible(seen)}) v
    union select p.user_id from person p where p.school_id = ${ctx.school_id} and p.merged_into in (select w.user_id from (${visible(seen)}) w)`
  return sql<boolean>`(${sql.join(columns.map(column => isIn(column, people)), sql` and `)})`
}

/**
 * Says that two people are not one: the pair is proposed again for a new sign alone.
 * @throws Refusal 404 for a pair of another school or outside the scope, 409 when it was decided meanwhile
 */
export async function dismissCase(ctx: PeopleCtx, { id }: { id: string }): Promise<Reply<typeof mergeApi.dismiss>> {
  const { db, school_id, now, me } = ctx
  const seen = await bothSeen(ctx, 'c.a_user_id', 'c.b_user_id')
  const found = await db.selectFrom('merge_case as c').selectAll('c').where('c.school_id', '=', school_id).where('c.id', '=', id).where(seen).forUpdate().executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  if (found.state !== 'open') throw fail(peopleErrors.mergeDecided)
  await db.updateTable('merge_case').set({ state: 'dismissed', decided_by: me.user_id, decided_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
  const people = await describePeople(ctx, [found.a_user_id, found.b_user_id], schoolDay(now))
  ctx.note({ target_kind: 'people.merge_case', target_id: id, target_name: `不是同一人：${[...people.values()].map(person => person.user_name).join('、')}` })
  return { case_id: id }
}

/** Names of those who decided. */
export async function actors({ db, school_id }: PeopleCtx, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await asTables<IdentityViews>(db).selectFrom('school_user_v').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}
