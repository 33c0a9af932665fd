import { accessErrors, most_pickup_persons, PickupPersonRow } from '@campus/access/contract'
import type { myPickupApi, pickupPersonApi, PickupPersonDraft, pickupPersonList } from '@campus/access/contract'
import { addressOf, claim } from '@campus/files/server'
import { inScope, selfScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { addDays } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { derive } from '../grant/derive.ts'
import { requirePeople, scopesOf } from '../grant/scope.ts'
import { hashOf, maskMobile, seal } from '../visitor/seal.ts'

const [waits, confirmed, ended, student] = [0, 1, 2, 1] as const
const Found = PickupPersonRow.omit({ photo_url: true, mobile: true }).extend({
  mobile_tail: z.string(),
  photo_file_key: z.string().nullable(),
})

async function readPersons(
  { app, db, school_id, now, me }: AccessCtx,
  where: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<PickupPersonRow[]> {
  const { rows } = await sql`
    select p.pickup_id::text, p.student_id::text, s.display_name as student_name, l.student_no, d.dept_name,
      p.person_name, p.relation, p.mobile_tail, p.photo_file_key, p.valid_from::text,
      (p.valid_to - 1)::text as valid_to, p.confirm_state::int, p.parent_id is not null as has_account, c.display_name as confirmed_by_name
    from pickup_person p
    join live_student l on l.school_id = ${school_id} and l.user_id = p.student_id
    join person_label s on s.school_id = ${school_id} and s.user_id = p.student_id
    left join dept_now d on d.school_id = ${school_id} and d.id = l.dept_id
    left join person_label c on c.school_id = ${school_id} and c.user_id = p.confirmed_by
    where p.school_id = ${school_id} and ${where} order by p.confirm_state, p.pickup_id desc limit ${limit} offset ${offset}`.execute(db)
  return z
    .array(Found)
    .parse(rows)
    .map(({ mobile_tail, photo_file_key, ...row }) => ({
      ...row,
      mobile: maskMobile(mobile_tail),
      photo_url: photo_file_key === null ? null : addressOf(app, now, { school_id, file_key: photo_file_key, visibility: 'school' }, me),
    }))
}

/** Adults who may fetch children of his classes, those who wait for a guardian first. */
export async function listPersons(
  ctx: AccessCtx,
  { keyword, confirm_state, page_index, page_size }: z.output<typeof pickupPersonList.query>,
): Promise<Reply<typeof pickupPersonApi.list>> {
  const { db, school_id } = ctx
  const where = sql`${inScope('l.dept_id', (await scopesOf(ctx)).student)}
    and ${confirm_state === undefined ? sql`true` : sql`p.confirm_state = ${Number(confirm_state)}`}
    and ${keyword === undefined ? sql`true` : sql`(${nameHas(nameKeyOf('l.user_name'), keyword)} or ${nameHas(nameKeyOf('p.person_name'), keyword)})`}`
  const {
    rows: [counted],
  } = await sql<{ total: number }>`
    select count(*)::int as total from pickup_person p join live_student l on l.school_id = ${school_id}
      and l.user_id = p.student_id where p.school_id = ${school_id} and ${where}`.execute(
    db,
  )
  return { list: await readPersons(ctx, where, { limit: page_size, offset: (page_index - 1) * page_size }), total: counted?.total ?? 0 }
}

/** Checks the photo before the transaction; the answer writes the person down. @throws Refusal 404, 409 pickupTwice, 422 pickupMany */
export async function prepareAdd(pre: Pre, draft: PickupPersonDraft) {
  const enter = draft.photo_file_key === null ? null : await claim(pre, { file_key: draft.photo_file_key, purpose: 'avatar' })
  return async (ctx: AccessCtx): Promise<Reply<typeof pickupPersonApi.add>> => {
    const pickup_id = await addPerson(ctx, draft)
    if (enter) await enter(ctx, { ref_kind: 'access.pickup_person', ref_id: pickup_id })
    return { pickup_id }
  }
}

async function addPerson(ctx: AccessCtx, { mobile, valid_to, ...draft }: PickupPersonDraft): Promise<string> {
  const { app, db, school_id, now, me } = ctx
  const [child] = await requirePeople(ctx, [draft.student_id])
  if (child?.person_kind !== student) throw fail(commonErrors.notFound)
  await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(db)
  const live = await db
    .selectFrom('pickup_person')
    .select('pickup_id')
    .where('school_id', '=', school_id)
    .where('student_id', '=', draft.student_id)
    .where('confirm_state', '<', ended)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', schoolDay(now))]))
    .execute()
  if (live.length >= most_pickup_persons) throw fail(accessErrors.pickupMany)
  const row = {
    ...draft,
    school_id,
    valid_to: valid_to === null ? null : addDays(valid_to, 1),
    mobile_enc: seal(app, school_id, 'mobile', mobile),
    mobile_hash: hashOf(app, school_id, 'mobile', mobile),
    mobile_tail: mobile.slice(-4),
    parent_id: await accountOf(ctx, mobile),
    created_at: now,
    created_by: me.user_id,
  }
  const { pickup_id } = await db.insertInto('pickup_person').values(row).returning('pickup_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'access.pickup_person', target_id: pickup_id, target_name: `${child.user_name}的接送人${draft.person_name}` })
  return pickup_id
}

/** The parent of the school who has this mobile, so that his own card or face opens the gate. */
async function accountOf({ db, school_id }: AccessCtx, mobile: string): Promise<string | null> {
  const { rows } = await sql<{
    user_id: string
  }>`select user_id::text from live_parent where school_id = ${school_id} and mobile = ${mobile} limit 2`.execute(db)
  return rows.length === 1 ? (rows[0]?.user_id ?? null) : null
}

/** Takes a guardian's paper as his word. @throws Refusal 404, 409 pickupState */
export async function confirmPersons(ctx: AccessCtx, { ids, reason }: Input<typeof pickupPersonApi.confirm>): Promise<{ changed: number }> {
  return settle(ctx, ids, { confirm_state: confirmed, confirmed_at: ctx.now, confirmed_by: ctx.me.user_id }, { from: [waits], reason })
}

/** He fetches nobody from now on. @throws Refusal 404, 409 pickupState */
export async function stopPersons(ctx: AccessCtx, { ids, reason }: Input<typeof pickupPersonApi.stop>): Promise<{ changed: number }> {
  return settle(ctx, ids, { confirm_state: ended, ended_at: ctx.now, ended_by: ctx.me.user_id }, { from: [waits, confirmed], reason })
}

type Settled = { confirm_state: number; confirmed_at?: Date; confirmed_by?: string; ended_at?: Date; ended_by?: string }

async function settle(
  ctx: AccessCtx,
  ids: readonly string[],
  to: Settled,
  { from, reason }: { from: readonly number[]; reason: string },
): Promise<{ changed: number }> {
  const { db, school_id } = ctx
  const rows = await db
    .selectFrom('pickup_person')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('pickup_id', 'in', [...ids])
    .forUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  await requirePeople(
    ctx,
    rows.map(row => row.student_id),
  )
  if (rows.some(row => !from.includes(row.confirm_state))) throw fail(accessErrors.pickupState)
  await write(ctx, ids, to)
  await deriveAccounts(ctx, rows)
  ctx.note({
    target_kind: 'access.pickup_person',
    target_id: ids[0] ?? '',
    target_name: rows
      .map(row => row.person_name)
      .join('、')
      .slice(0, 100),
    reason,
    after: { ids, confirm_state: to.confirm_state },
  })
  return { changed: rows.length }
}

async function write({ db, school_id }: AccessCtx, ids: readonly string[], to: Settled): Promise<void> {
  await db
    .updateTable('pickup_person')
    .set({ ...to, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('pickup_id', 'in', [...ids])
    .execute()
}

/** His way in at the gates of pick-up follows at once. */
async function deriveAccounts(ctx: AccessCtx, rows: readonly { parent_id: string | null }[]): Promise<void> {
  const accounts = rows.flatMap(row => row.parent_id ?? [])
  if (accounts.length > 0) await derive(ctx, accounts)
}

/** Children whose guardian he is; a child has no word here. */
async function wardsOf(ctx: AccessCtx): Promise<string[]> {
  const { db, school_id, now, me } = ctx
  const mine = (await selfScope(ctx)).filter(user_id => user_id !== me.user_id)
  const today = schoolDay(now)
  const { rows } = await sql<{ student: string }>`
    select g.student_user_id::text as student from guardian_span g where g.school_id = ${school_id}
      and g.parent_user_id = ${me.user_id} and g.is_guardian and g.student_user_id = any(${mine}::bigint[])
      and g.valid_from <= ${today}::date and (g.valid_to is null or g.valid_to > ${today}::date)`.execute(db)
  return rows.map(row => row.student)
}

/** Who may fetch my children, and who waits for my word. */
export async function listMine(ctx: AccessCtx): Promise<Reply<typeof myPickupApi.list>> {
  const rows = await readPersons(ctx, sql`p.confirm_state < ${ended} and p.student_id = any(${await wardsOf(ctx)}::bigint[])`, {
    limit: 100,
    offset: 0,
  })
  return { list: rows.map(({ student_no: _no, dept_name: _dept, has_account: _account, confirmed_by_name: _by, ...row }) => row) }
}

/** A guardian confirms somebody for his child, or refuses him. @throws Refusal 404 for a child that is not his, 409 pickupState */
export async function answerMine(ctx: AccessCtx, { pickup_id, agreed }: Input<typeof myPickupApi.answer>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const row = await db
    .selectFrom('pickup_person')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('pickup_id', '=', pickup_id)
    .forUpdate()
    .executeTakeFirst()
  if (!row || !(await wardsOf(ctx)).includes(row.student_id)) throw fail(commonErrors.notFound)
  if (row.confirm_state === ended || (agreed && row.confirm_state === confirmed)) throw fail(accessErrors.pickupState)
  await write(
    ctx,
    [pickup_id],
    agreed
      ? { confirm_state: confirmed, confirmed_at: now, confirmed_by: me.user_id }
      : { confirm_state: ended, ended_at: now, ended_by: me.user_id },
  )
  await deriveAccounts(ctx, [row])
  ctx.note({ target_kind: 'access.pickup_person', target_id: pickup_id, target_name: row.person_name, after: { agreed } })
  return {}
}
