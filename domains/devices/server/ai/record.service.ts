import { ai_most_days, ai_undo_hours, devicesErrors } from '@campus/devices/contract'
import type { aiRecordApi, AiWarning } from '@campus/devices/contract'
import { addressOf } from '@campus/files/server'
import { isInPlaces, placeScope } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { requirePath } from '../device.service.ts'
import { refusedAt } from '../export-span.ts'
import { countWarnings, countWarningStates, readHeat, readTheseWarnings, readWarnings } from './record.queries.ts'
import type { WarningFilter, WarningRecord } from './record.queries.ts'

const [day_ms, hour_ms] = [86_400_000, 3_600_000]
/** Who may take back what others have decided. */
export const ai_admin = 'devices.ai.admin'
type Asked = Input<typeof aiRecordApi.summary>

/** A page of the warnings in the places that the reader may see, the latest first. @throws Refusal 404, 400 and 422 at `to` */
export async function listWarnings(ctx: DevicesCtx, { page_index, page_size, ...asked }: Input<typeof aiRecordApi.page>): Promise<Reply<typeof aiRecordApi.page>> {
  const filter = await filterOf(ctx, asked)
  const rows = await readWarnings(ctx.db, filter, { limit: page_size, offset: (page_index - 1) * page_size })
  return { list: rows.map(row => toldWarning(ctx, row)), total: await countWarnings(ctx.db, filter) }
}

/** How many there are in each state, and when and where the most of them are. @throws Refusal 404, 400 and 422 at `to` */
export async function sumWarnings(ctx: DevicesCtx, asked: Asked): Promise<Reply<typeof aiRecordApi.summary>> {
  const filter = await filterOf(ctx, asked)
  return { states: await countWarningStates(ctx.db, filter), heat: await readHeat(ctx.db, filter) }
}

const Decisions = z.array(z.object({ at: z.coerce.date().transform(at => at.toISOString()), user_name: z.string(), role_name: z.string(), from_state: z.enum(['0', '1', '2']), to_state: z.enum(['0', '1', '2']), note: z.string().nullable() }))

/** Who has decided what of a warning, oldest first. @throws Refusal 404 */
export async function listDecisions(ctx: DevicesCtx, { warning_id }: Input<typeof aiRecordApi.decisions>): Promise<Reply<typeof aiRecordApi.decisions>> {
  const { db, school_id } = ctx
  await requireWarnings(ctx, [warning_id])
  const { rows } = await sql`
    select d.at, coalesce(u.user_name, '已注销人员') as user_name, d.role_name, d.from_state::text, d.to_state::text, d.note from ai_decision d left join school_user_v u on u.school_id = d.school_id and u.user_id = d.user_id
    where d.school_id = ${school_id} and d.warning_id = ${warning_id} order by d.at, d.decision_id`.execute(db)
  return { list: Decisions.parse(rows) }
}

/** These warnings, all of which the caller may see. @throws Refusal 404 */
export async function requireWarnings(ctx: DevicesCtx, ids: readonly string[], how: { lock?: boolean } = {}): Promise<WarningRecord[]> {
  const scope = await placeScope(ctx)
  const rows = await readTheseWarnings(ctx.db, ctx.school_id, ids, how)
  if (rows.length !== new Set(ids).size || !rows.every(row => isSeen(row, scope))) throw fail(commonErrors.notFound)
  return rows
}

/** @throws Refusal 404 for a camera or a rule that this school does not have */
export async function requireNamed({ db, school_id }: Pick<DevicesCtx, 'db' | 'school_id'>, { camera_device_id, rule_id }: Pick<Asked, 'camera_device_id' | 'rule_id'>): Promise<void> {
  const camera = camera_device_id === undefined || (await db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('device_id', '=', camera_device_id).executeTakeFirst())
  const rule = rule_id === undefined || (await db.selectFrom('ai_rule').select('rule_id').where('school_id', '=', school_id).where('rule_id', '=', rule_id).executeTakeFirst())
  if (!camera || !rule) throw fail(commonErrors.notFound)
}

/** What is asked for, in the reader's places. @throws Refusal 404 for a place out of sight, an unknown camera or rule, 400 and 422 at `to` for the days */
export async function filterOf(ctx: DevicesCtx, { place_id, from, to, ...asked }: Asked): Promise<WarningFilter> {
  const scope = await placeScope(ctx)
  refuseDays({ from, to })
  await requireNamed(ctx, asked)
  const below = place_id === undefined ? {} : { below: (await requirePath(ctx, place_id, scope)).node_path }
  return { school_id: ctx.school_id, scope, from, to, ...asked, ...below }
}

/** @throws Refusal at `to`: 422 for an end before the beginning, 400 for more days than are looked at together */
export function refuseDays({ from, to }: Pick<Asked, 'from' | 'to'>): void {
  const days = (Date.parse(to) - Date.parse(from)) / day_ms + 1
  if (days < 1) throw refusedAt('to', devicesErrors.exportOrder)
  if (days > ai_most_days) throw refusedAt('to', devicesErrors.aiDays, { most: ai_most_days })
}

/** May this caller take the decision back now? */
function canUndo({ me, now }: Pick<DevicesCtx, 'me' | 'now'>, { state, decided_by, decided_at }: WarningRecord): boolean {
  return state !== '0' && isRecent(decided_at, now) && (decided_by === me.user_id || me.codes.has(ai_admin))
}

/** Was it decided so short a time ago that it can be taken back? */
export function isRecent(decided_at: Date | null, now: Date): boolean {
  return decided_at !== null && now.getTime() - decided_at.getTime() <= ai_undo_hours * hour_ms
}

function toldWarning(ctx: DevicesCtx, row: WarningRecord): AiWarning {
  const { app, school_id, now, me } = ctx
  const { images, begin_at, end_at, decided_at, node_path: _path, decided_by: _by, ...warning } = row
  const address = (file_key: string) => addressOf(app, now, { school_id, file_key, visibility: 'private' }, me)
  return {
    ...warning, begin_at: begin_at.toISOString(), end_at: end_at.toISOString(), decided_at: decided_at?.toISOString() ?? null, can_undo: canUndo(ctx, row),
    images: images.map(({ at, score, file_key }) => ({ at, score, url: file_key === null ? null : address(file_key) })),
  }
}

/** What happened in a place that is closed by now is for whoever sees all places. */
function isSeen({ node_path }: WarningRecord, scope: PlaceScope): boolean {
  return scope === 'all' || (node_path !== null && isInPlaces(node_path, scope))
}
