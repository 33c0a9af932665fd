import { accessErrors } from '@campus/access/contract'
import type { VisitorReason, VisitorSetting, visitorSettingApi, reasonApi } from '@campus/access/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameKey } from '@kit/contract/checks'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, PassCtx } from '../pass/db.ts'

const first_own_code = 1001
const secret_bytes = 16
/** What holds where a school has set nothing (chapter 35 §1.5). */
const usual_setting: VisitorSetting = {
  book_enabled: true, notice: '', advance_days: 7, max_minutes: 480, open_from: '07:00', open_to: '18:00', before_min: 30, after_min: 30, follower_max: 10, need_plate: false, need_company: false, audit_mode: 1, place_ids: [], row_version: 0,
}
/** Reasons of a school that has set none. */
const usual_reasons = ['洽谈业务', '家长来访', '接送学生', '送货', '施工维修', '参观学习', '面试', '其他'].map((reason_name, at): VisitorReason => ({
  reason_code: String(at + 1), reason_name, order: at + 1, default_minutes: 60, audit_mode: null, place_ids: [], need_student: reason_name === '接送学生', status: 1, row_version: 0,
}))

/** The school's settings of visits, with the secret of its booking page; empty: it has none yet. */
export async function readVisitorSetting(db: Db, school_id: number): Promise<VisitorSetting & { link_token: string }> {
  const found = await db.selectFrom('visitor_setting').selectAll().where('school_id', '=', school_id).executeTakeFirst()
  return found ?? { ...usual_setting, link_token: '' }
}

export async function readOwnSetting({ db, school_id }: PassCtx): Promise<Reply<typeof visitorSettingApi.read>> {
  const { link_token, ...setting } = await readVisitorSetting(db, school_id)
  return { ...setting, link_key: link_token === '' ? '' : `${school_id}-${link_token}` }
}

/** @throws Refusal visitorStale, 404 for a place that is not there */
export async function writeVisitorSetting(ctx: PassCtx, { row_version, ...asked }: VisitorSetting): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await requirePlaces(ctx, asked.place_ids)
  const before = await readVisitorSetting(db, school_id)
  if (before.row_version !== row_version) throw fail(accessErrors.visitorStale)
  if (asked.open_from >= asked.open_to) throw fail(commonErrors.invalid, { errors: [{ field: 'open_to', msg: '结束时间须晚于开始时间' }] })
  const kept = { ...asked, row_version: row_version + 1, link_token: before.link_token === '' ? randomBytes(secret_bytes).toString('hex') : before.link_token }
  await db.insertInto('visitor_setting').values({ school_id, ...kept }).onConflict(clash => clash.column('school_id').doUpdateSet(kept)).execute()
  ctx.note({ target_kind: 'access.visitor_setting', target_name: '访客设置', before: { ...before, link_token: undefined }, after: asked })
  return {}
}

/** A new address of the booking page; the printed one is dead at once. */
export async function rotateLink(ctx: PassCtx): Promise<Reply<typeof visitorSettingApi.rotate>> {
  const { db, school_id } = ctx
  const { link_token: _old, ...before } = await readVisitorSetting(db, school_id)
  const link_token = randomBytes(secret_bytes).toString('hex')
  await db.insertInto('visitor_setting').values({ school_id, ...before, link_token, row_version: before.row_version + 1 })
    .onConflict(clash => clash.column('school_id').doUpdateSet({ link_token, row_version: before.row_version + 1, link_version: sql<number>`visitor_setting.link_version + 1` })).execute()
  ctx.note({ target_kind: 'access.visitor_setting', target_name: '更换预约链接' })
  return { link_key: `${school_id}-${link_token}` }
}

/** @throws Refusal 404 for a place of another school or one that is closed */
export async function requirePlaces({ db, school_id }: Pick<PassCtx, 'db' | 'school_id'>, place_ids: readonly string[]): Promise<void> {
  const ids = [...new Set(place_ids)]
  if (ids.length === 0) return
  const found = await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where(sql<boolean>`place_id = any(${ids}::bigint[])`).execute()
  if (found.length < ids.length) throw fail(commonErrors.notFound)
}

/** The school's reasons in their order; those of the product where it has none. */
export async function readReasons(db: Db, school_id: number): Promise<VisitorReason[]> {
  const rows = await db.selectFrom('visitor_reason').select(['reason_code', 'reason_name', 'order', 'default_minutes', 'audit_mode', 'place_ids', 'need_student', 'status', 'row_version']).where('school_id', '=', school_id).orderBy('order').orderBy('reason_code').execute()
  return rows.length === 0 ? usual_reasons : rows
}

/** Writes down the product's reasons before the first one is changed. */
async function ensureReasons({ db, school_id }: PassCtx): Promise<VisitorReason[]> {
  const rows = usual_reasons.map(({ row_version: _version, ...reason }) => ({ school_id, ...reason, name_key: nameKey(reason.reason_name), row_version: 1 }))
  const { n } = await db.selectFrom('visitor_reason').select(sql<number>`count(*)::int`.as('n')).where('school_id', '=', school_id).executeTakeFirstOrThrow()
  if (n === 0) for (const row of rows) await db.insertInto('visitor_reason').values(row).onConflict(clash => clash.doNothing()).execute()
  return readReasons(db, school_id)
}

/** @throws Refusal reasonName, 404 */
export async function createReason(ctx: PassCtx, draft: Input<typeof reasonApi.create>): Promise<Reply<typeof reasonApi.create>> {
  await requirePlaces(ctx, draft.place_ids)
  const known = await ensureReasons(ctx)
  const reason_code = String(Math.max(first_own_code - 1, ...known.map(reason => Number(reason.reason_code))) + 1)
  const order = Math.max(0, ...known.map(reason => reason.order)) + 1
  await ctx.db.insertInto('visitor_reason').values({ school_id: ctx.school_id, reason_code, order, name_key: nameKey(draft.reason_name), ...draft }).execute()
  ctx.note({ target_kind: 'access.visitor_reason', target_id: reason_code, target_name: draft.reason_name })
  return { reason_code }
}

/** @throws Refusal reasonName, visitorStale, 404 */
export async function updateReason(ctx: PassCtx, { reason_code, row_version, ...draft }: Input<typeof reasonApi.update>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await requirePlaces(ctx, draft.place_ids)
  const before = await requireReason(ctx, reason_code)
  if (before.row_version !== row_version && before.row_version !== row_version + 1) throw fail(accessErrors.visitorStale)
  await db.updateTable('visitor_reason').set({ ...draft, name_key: nameKey(draft.reason_name), row_version: before.row_version + 1 }).where('school_id', '=', school_id).where('reason_code', '=', reason_code).execute()
  ctx.note({ target_kind: 'access.visitor_reason', target_id: reason_code, target_name: draft.reason_name, before, after: draft })
  return {}
}

async function requireReason(ctx: PassCtx, reason_code: string): Promise<VisitorReason> {
  const stored = await readReasons(ctx.db, ctx.school_id)
  if (!stored.some(reason => reason.reason_code === reason_code)) throw fail(commonErrors.notFound)
  const found = (await ensureReasons(ctx)).find(reason => reason.reason_code === reason_code)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** @throws Refusal reasonUsed, 404 */
export async function removeReason(ctx: PassCtx, { reason_code }: Input<typeof reasonApi.remove>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const { reason_name } = await requireReason(ctx, reason_code)
  const used = await db.selectFrom('visitor_apply').select('apply_id').where('school_id', '=', school_id).where('reason_code', '=', reason_code).limit(1).executeTakeFirst()
  if (used) throw fail(accessErrors.reasonUsed)
  await db.deleteFrom('visitor_reason').where('school_id', '=', school_id).where('reason_code', '=', reason_code).execute()
  ctx.note({ target_kind: 'access.visitor_reason', target_id: reason_code, target_name: reason_name })
  return {}
}

/** @throws Refusal 404 when one of them is not there */
export async function sortReasons(ctx: PassCtx, { reason_codes }: Input<typeof reasonApi.sort>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const stored = new Set((await readReasons(db, school_id)).map(reason => reason.reason_code))
  if (reason_codes.some(code => !stored.has(code))) throw fail(commonErrors.notFound)
  await ensureReasons(ctx)
  for (const [at, code] of reason_codes.entries()) await db.updateTable('visitor_reason').set({ order: at + 1 }).where('school_id', '=', school_id).where('reason_code', '=', code).execute()
  ctx.note({ target_kind: 'access.visitor_reason', target_name: '事由排序' })
  return {}
}
