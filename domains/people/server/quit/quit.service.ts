import { delete_states } from '@campus/people/contract'
import type { quitApi, QuitFile, QuitRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import { oneOf } from '../dated.ts'
import { addDays, schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { readDeleteConfig } from '../deletion/delete-config.queries.ts'
import { openItems } from '../deletion/open-items.ts'
import { purged_name } from '../deletion/purge.ts'
import { labelsOn } from '../dept.service.ts'
import { parseKeyword, pupilFits, staffListed } from '../keyword.ts'
import { deptScope } from '../scope.ts'
import { goneByYear, pageGone, spansOf } from './quit.queries.ts'
import type { Gone, QuitFilter } from './quit.queries.ts'

type QuitAsked = Omit<Input<typeof quitApi.page>, 'page_index' | 'page_size'>

const State = z.enum(delete_states)
const Group = z.enum(['grad', 'out', 'other'])

/** Who left and has not come back, the latest first, of those whose last department the reader may see. */
export async function listQuit(ctx: PeopleCtx, { page_index, page_size, ...query }: Input<typeof quitApi.page>): Promise<Reply<typeof quitApi.page>> {
  const { rows, total } = await pageGone(ctx.db, quitFilter(ctx.app, await scoped(ctx), query), { page_index, page_size })
  return { list: await quitRows(ctx, rows), total }
}

/** How many left in each calendar year. */
export async function quitYears(ctx: PeopleCtx, { kind }: Input<typeof quitApi.years>): Promise<Reply<typeof quitApi.years>> {
  const found = await goneByYear(ctx.db, { ...(await scoped(ctx)), kind })
  const years = Map.groupBy(found, row => row.year)
  return {
    list: [...years].map(([year, rows]) => {
      const of = (group: z.output<typeof Group>) => rows.find(row => row.kind === group)?.n ?? 0
      return { year, grad: of('grad'), out: of('out'), other: of('other') }
    }),
  }
}

/** Somebody who left, with his whole way through the school. @throws Refusal 404 outside school or scope */
export async function readQuit(ctx: PeopleCtx, { id }: Input<typeof quitApi.detail>): Promise<QuitFile> {
  const { db, school_id, now } = ctx
  const { rows } = await pageGone(db, { ...(await scoped(ctx)), user_id: id }, { page_index: 1, page_size: 1 })
  const [found] = rows
  if (!found) throw fail(commonErrors.notFound)
  const [row] = await quitRows(ctx, [found])
  if (!row) throw fail(commonErrors.notFound)
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const spans = await spansOf(db, school_id, id, found.kind === 1 ? 'student' : 'staff', schoolDay(now))
  return { ...row, school_name, sex: found.sex, enrol_month: found.enrol_month, reason: found.reason, spans }
}

async function scoped(ctx: PeopleCtx): Promise<QuitFilter> {
  const today = schoolDay(ctx.now)
  return { school_id: ctx.school_id, today, student: await deptScope(ctx, 'student', today), staff: await deptScope(ctx, 'staff', today) }
}

/** Whom a list of those who left is asked for, seen by its reader; identity numbers are looked for by their index. */
function quitFilter(app: App, seen: QuitFilter, { keyword: text, ...asked }: QuitAsked): QuitFilter {
  const keyword = parseKeyword(text)
  return { ...seen, ...asked, ...(keyword ? { keyword: { student: pupilFits(keyword, app.secrets, seen.school_id, seen.today), staff: staffListed(keyword, app.secrets) } } : {}) }
}

/** What a list of those who left is read with, by a request or by an export. */
type QuitDesk = Pick<PeopleCtx, 'app' | 'db' | 'school_id' | 'me' | 'now'>

/** The rows of the list, each with what is unsettled and how far his deletion is. */
async function quitRows(ctx: QuitDesk, rows: readonly Gone[]): Promise<QuitRow[]> {
  const { db, school_id } = ctx
  const ids = rows.map(row => row.user_id)
  const { archive_years } = await readDeleteConfig(db, school_id)
  const labels = await lastLabels(ctx, rows)
  const items = await openItems(ctx, rows.filter(row => !row.is_purged).map(row => row.user_id))
  const { listed, cleared } = await deletions(ctx, ids)
  return rows.map(row => ({
    user_id: row.user_id, user_name: row.is_purged ? purged_name : row.user_name, user_no: row.is_purged ? '' : row.user_no, person_kind: row.kind,
    dept_name: labels.get(row.user_id) ?? null, close_kind: row.close_kind, to_where: row.to_where, left_on: row.left_on,
    kept_until: archive_years === 0 ? null : yearsLater(row.left_on, archive_years), command_id: row.command_id, is_purged: row.is_purged,
    deletion: listed.get(row.user_id) ?? null, cleared: cleared.get(row.user_id) ?? null, items: items.get(row.user_id) ?? [],
  }))
}

/** 29 February becomes 1 March. */
function yearsLater(day: string, years: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCFullYear(at.getUTCFullYear() + years)
  return at.toISOString().slice(0, 10)
}

/** The department of each one's last day, as it was called then. */
async function lastLabels(ctx: QuitDesk, rows: readonly Gone[]): Promise<Map<string, string>> {
  const named = new Map<string, string>()
  for (const [left_on, same] of Map.groupBy(rows, row => row.left_on)) {
    const labels = await labelsOn(ctx, same.flatMap(row => row.dept_id ?? []), addDays(left_on, -1))
    for (const { user_id, dept_id } of same) {
      const label = dept_id === null ? undefined : labels.get(dept_id)
      if (label !== undefined) named.set(user_id, label)
    }
  }
  return named
}

async function deletions({ db, school_id }: QuitDesk, ids: readonly string[]) {
  const details = await db
    .selectFrom('user_delete_detail')
    .select(['user_id', 'batch_no', 'state'])
    .where('school_id', '=', school_id)
    .where('state', '<>', 'cancelled')
    .where(oneOf('user_id', ids))
    .orderBy('batch_no')
    .execute()
  const proofs = await db
    .selectFrom('user_delete_proof')
    .select(['user_id', sql<number>`count(*)::int`.as('asked'), sql<number>`(count(*) filter (where state = 'acked'))::int`.as('acked')])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', ids))
    .groupBy('user_id')
    .execute()
  return {
    listed: new Map(details.map(({ user_id, batch_no, state }) => [user_id, { batch_no, state: State.parse(state) }])),
    cleared: new Map(proofs.map(({ user_id, asked, acked }) => [user_id, { asked, acked }])),
  }
}
