import { accessErrors, BlackRow } from '@campus/access/contract'
import type { blackApi, blackList } from '@campus/access/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PassCtx, Work } from '../pass/db.ts'
import { hashOf, seal } from './seal.ts'
import { endVisit, lockVisit } from './visit.core.ts'

const instant = z.date().transform(at => at.toISOString())
const Found = BlackRow.extend({ valid_from: instant, valid_to: instant.nullable(), lifted_at: instant.nullable() })

/** Who may not come, the latest first. */
export async function listBlack({ db, school_id, now }: PassCtx, { keyword, state, page_index, page_size }: z.output<typeof blackList.query>): Promise<{ list: BlackRow[]; total: number }> {
  const in_force = sql`(b.lifted_at is null and (b.valid_to is null or b.valid_to > ${now}::timestamptz))`
  const from = sql`from visitor_blacklist b where b.school_id = ${school_id}
    and ${state === undefined ? sql`true` : state === '1' ? in_force : sql`not ${in_force}`}
    and ${keyword === undefined ? sql`true` : sql`(b.mobile_tail = ${keyword} or b.plate = upper(${keyword}) or ${nameHas(nameKeyOf('b.name'), keyword)})`}`
  const { rows } = await sql`
    select b.black_id::text, b.name, b.mobile_tail, b.plate, b.reason, b.valid_from, b.valid_to, b.lifted_at, b.lift_reason, l.display_name as created_by_name
    from (select b.* ${from} order by b.black_id desc limit ${page_size} offset ${(page_index - 1) * page_size}) b left join person_label l on l.school_id = ${school_id} and l.user_id = b.created_by order by b.black_id desc`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(db)
  return { list: z.array(Found).parse(rows), total: counted.rows[0]?.n ?? 0 }
}

/** Lists somebody. @throws Refusal blackTarget */
export async function createBlack(ctx: PassCtx, draft: Input<typeof blackApi.create>): Promise<Reply<typeof blackApi.create>> {
  const { valid_to, ...who } = draft
  const { name, mobile, plate } = who
  if (mobile === '' && plate === '') throw fail(accessErrors.blackTarget, { errors: [{ field: 'mobile', msg: accessErrors.blackTarget.msg }] })
  const times = { valid_from: ctx.now, valid_to: valid_to === null ? null : new Date(valid_to) }
  const { black_id, stopped } = await listPerson(ctx, { ...who, ...times, created_by: ctx.me.user_id })
  ctx.note({ target_kind: 'access.blacklist', target_id: black_id, target_name: name || plate || `尾号${mobile.slice(-4)}` })
  return { stopped }
}

type Listed = { name: string; mobile: string; plate: string; reason: string; valid_from: Date; valid_to: Date | null; created_by: string }

/** Puts somebody on the list; once that holds, his live visits end at once, doors first (chapter 35 R46). @returns how many visits */
export async function listPerson(work: Work, { name, mobile, plate, ...facts }: Listed): Promise<{ black_id: string; stopped: number }> {
  const { app, db, school_id, now } = work
  const mobile_hash = mobile === '' ? null : hashOf(app, school_id, 'mobile', mobile)
  const row = { name: name || null, mobile_enc: mobile === '' ? null : seal(app, school_id, 'mobile', mobile), mobile_hash, mobile_tail: mobile === '' ? null : mobile.slice(-4), plate: plate || null }
  const added = db.insertInto('visitor_blacklist').values({ school_id, ...row, ...facts })
  const { black_id } = await added.returning('black_id').executeTakeFirstOrThrow()
  if (facts.valid_from > now) return { black_id, stopped: 0 }
  const live = await sql<{ apply_id: string }>`
    select a.apply_id::text from visitor_apply a join visitor v on v.school_id = ${school_id} and v.visitor_id = a.visitor_id
    where a.school_id = ${school_id} and a.state in (0, 1, 4) and (v.mobile_hash = ${mobile_hash} or a.plate = ${row.plate}) order by a.apply_id`.execute(db)
  for (const { apply_id } of live.rows) await endVisit(work, await lockVisit(work, apply_id), 'blocked')
  return { black_id, stopped: live.rows.length }
}

type Keys = { mobile_hashes: readonly string[]; plates: readonly string[] }

/** Which of these mobiles (by their hashes) and plates are listed now, with the reason. */
export async function listedOf(work: Pick<Work, 'db' | 'school_id' | 'now'>, of: Keys): Promise<Map<string, string>> {
  const { db, school_id, now } = work
  const { rows } = await sql<{ mobile_hash: string | null; plate: string | null; reason: string }>`
    select mobile_hash, plate, reason from visitor_blacklist where school_id = ${school_id} and lifted_at is null and valid_from <= ${now}
      and (valid_to is null or valid_to > ${now})
      and (mobile_hash = any(${[...of.mobile_hashes]}::text[]) or plate = any(${[...of.plates]}::text[]))`.execute(db)
  const keyed = rows.flatMap(row => [row.mobile_hash, row.plate].map(key => ({ key, reason: row.reason })))
  return new Map(keyed.flatMap(({ key, reason }): [string, string][] => (key === null ? [] : [[key, reason]])))
}

/** @throws Refusal blackDone, 404 */
export async function liftBlack(ctx: PassCtx, { black_id, reason }: Input<typeof blackApi.lift>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const row = await db.selectFrom('visitor_blacklist').select(['name', 'plate', 'lifted_at']).where('school_id', '=', school_id).where('black_id', '=', black_id).forUpdate().executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  if (row.lifted_at !== null) throw fail(accessErrors.blackDone)
  await db.updateTable('visitor_blacklist').set({ lifted_at: now, lifted_by: me.user_id, lift_reason: reason }).where('school_id', '=', school_id).where('black_id', '=', black_id).execute()
  ctx.note({ target_kind: 'access.blacklist', target_id: black_id, target_name: row.name ?? row.plate ?? '' })
  return {}
}
