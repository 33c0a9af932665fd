import { aiChannel, devicesErrors, devicesEvents } from '@campus/devices/contract'
import type { aiRecordApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { minuteText } from '@kit/server/excel'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { tellDutyWarning } from '../event/duty.ts'
import type { WarningRecord } from './record.queries.ts'
import { ai_admin, isRecent, requireWarnings } from './record.service.ts'

type Decided = Input<typeof aiRecordApi.ignore>
type State = WarningRecord['state']

/** 忽略 or 违规, of warnings that nobody has decided of: all of them or none. @throws Refusal 404, 409 warningDecided with who was first and when */
export async function decideWarnings(ctx: DevicesCtx, { ids, seen_state, note }: Decided, to: '1' | '2'): Promise<Reply<typeof aiRecordApi.ignore>> {
  const warnings = await requireWarnings(ctx, ids, { lock: true })
  for (const warning of warnings) if (warning.state !== '0' || seen_state !== '0') refuseDecided(warning)
  return change(ctx, warnings, { to, note: note ?? null })
}

/** Takes decisions back within a day: one's own, or anybody's for who administers warnings. @throws Refusal 404, 403 warningUndoOther, 409 warningDecided, warningOpen, warningUndoLate */
export async function undoDecisions(ctx: DevicesCtx, { ids, seen_state, note }: Decided): Promise<Reply<typeof aiRecordApi.undo>> {
  const { me, now } = ctx
  const warnings = await requireWarnings(ctx, ids, { lock: true })
  for (const warning of warnings) {
    if (warning.state === '0') throw fail(devicesErrors.warningOpen)
    if (warning.state !== seen_state) refuseDecided(warning)
    if (!isRecent(warning.decided_at, now)) throw fail(devicesErrors.warningUndoLate)
    if (warning.decided_by !== me.user_id && !me.codes.has(ai_admin)) throw fail(devicesErrors.warningUndoOther)
  }
  return change(ctx, warnings, { to: '0', note: note ?? null })
}

async function change(ctx: DevicesCtx, warnings: readonly WarningRecord[], { to, note }: { to: State; note: string | null }): Promise<{ changed: number }> {
  const { db, school_id, now, me } = ctx
  const ids = warnings.map(warning => warning.warning_id)
  const who = to === '0' ? { decided_by: null, decided_at: null, decision_note: null } : { decided_by: me.user_id, decided_at: now, decision_note: note }
  await db.updateTable('ai_warning').set({ state: Number(to), ...who }).where('school_id', '=', school_id).where(sql<boolean>`warning_id = any(${ids}::bigint[])`).execute()
  await db.insertInto('ai_decision').values(warnings.map(warning => ({ school_id, warning_id: warning.warning_id, user_id: me.user_id, role_name: me.role_name, at: now, from_state: Number(warning.state), to_state: Number(to), note }))).execute()
  for (const { warning_id, warn_kind, place_id, node_path } of warnings) {
    await publish(ctx, devicesEvents.aiWarningDecided, { warning_id, state: to, place_id, at: now.toISOString() })
    await tellDutyWarning(ctx, to === '0' ? 'raised' : 'closed', { warning_id, warn_kind })
    for (const above of (node_path ?? '').split('/').filter(Boolean)) await push(ctx, aiChannel, [{ warning_id, is_new: false }], { of: above })
  }
  ctx.note({ target_kind: 'devices.ai_warning', ...(ids.length === 1 && ids[0] ? { target_id: ids[0] } : {}), target_name: `${ids.length}条AI预警`, before: { state: warnings[0]?.state }, after: { state: to, ids, note } })
  return { changed: ids.length }
}

/** @throws Refusal 409 with the name and the time of who was first; what is open again is to be looked at anew */
function refuseDecided({ state, decided_name, decided_at }: WarningRecord): never {
  if (state === '0') throw fail(devicesErrors.warningOpen)
  throw fail(devicesErrors.warningDecided, { params: { name: decided_name ?? '已注销人员', time: decided_at === null ? '' : minuteText(decided_at) } })
}
