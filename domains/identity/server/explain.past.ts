import { permissionName } from '@campus/identity/contract'
import type { explainApi, PastHolder } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { IdentityCtx } from './db.ts'
import { directory } from './directory.ts'
import { endOfDay, lastDay, schoolDay, startOfDay } from './school-day.ts'

type Query = Input<typeof explainApi.past>
type Found = Omit<z.output<typeof PastHolder>, 'valid_from' | 'valid_to'> & { valid_from: Date; valid_to: Date | null; total: number }

/**
 * Who could open a page or use a button at some time of a day: everybody who then held a role that then had its permission (chapter 10 B3).
 * Of the time before a role's first known permissions these are taken; the answer says so. Row scopes of that day are not known.
 * @throws Refusal 404 for a page, permission or person that is not known here
 */
export async function listPast(ctx: IdentityCtx, query: Query): Promise<Reply<typeof explainApi.past>> {
  const { db, school_id, app } = ctx
  ctx.scoped()
  const { users } = await directory.one(app).covers(ctx)
  const code = codeOf(ctx, query)
  const [from, until] = [startOfDay(query.on), endOfDay(query.on)]
  const within = users === 'all' ? sql`true` : sql`u.user_id in (${users})`
  if (query.user_id !== undefined) await requirePerson(ctx, query.user_id, within)
  const read = async (limit: number, offset: number) => (await sql<Found>`
    select u.user_id, u.user_no, u.user_name, m.role_no, r.role_id, r.name as role_name, m.valid_from, m.valid_to,
      min(s.valid_from) >= ${until} as is_assumed, count(*) over ()::int as total
    from role_member m
    join school_user u on u.school_id = m.school_id and u.user_id = m.user_id
    join role r on r.school_id = m.school_id and r.role_id = m.role_id
    join role_permission_span s on s.school_id = m.school_id and s.role_id = m.role_id and s.code = ${code}
    where m.school_id = ${school_id} and r.is_app = false and ${within} and m.valid_from < ${until} and (m.valid_to is null or m.valid_to > ${from})
      and ${query.user_id === undefined ? sql`true` : sql`m.user_id = ${query.user_id}`} and ${heldOn(school_id, from, until)}
    group by u.user_id, u.user_no, u.user_name, m.role_no, r.role_id, r.name, m.valid_from, m.valid_to
    order by u.user_no, m.role_no limit ${limit} offset ${offset}`.execute(db)).rows
  const rows = await read(query.page_size, (query.page_index - 1) * query.page_size)
  const list = rows.map(({ total: _total, valid_from, valid_to, ...row }) => ({ ...row, valid_from: schoolDay(valid_from), valid_to: lastDay(valid_to) }))
  return { target: nameOf(ctx, query, code), list, total: await pageTotal(rows, query.page_index, () => read(1, 0)) }
}

async function requirePerson({ db, school_id }: IdentityCtx, user_id: string, within: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`select from school_user u where u.school_id = ${school_id} and u.user_id = ${user_id} and ${within}`.execute(db)
  if (rows.length === 0) throw fail(commonErrors.notFound)
}

/** The span touches the day, or it is of the role's first ones and the day lies before them. */
function heldOn(school_id: number, from: Date, until: Date): RawBuilder<unknown> {
  return sql`((s.valid_from < ${until} and (s.valid_to is null or s.valid_to > ${from}))
    or (s.valid_from >= ${until} and s.valid_from = (select min(f.valid_from) from role_permission_span f where f.school_id = ${school_id} and f.role_id = m.role_id)))`
}

function codeOf({ app }: IdentityCtx, { code, path }: Query): string {
  const found = code ?? app.facts.find(fact => fact.path === path)?.need
  if (found === undefined || !app.codes.has(found)) throw fail(commonErrors.notFound)
  return found
}

function nameOf({ app }: IdentityCtx, { path }: Query, code: string): string {
  const named = permissionName(code)
  return app.facts.find(fact => fact.path === path)?.title ?? (named ? `${named.verb_name}${named.noun_name}` : code)
}
