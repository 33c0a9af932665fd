import type { DeviceRuleDraft, ruleApi } from '@campus/devices/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolMoment } from '@kit/terminal-protocol'
import type { DevicesCtx } from '../db.ts'
import { timesOn } from './compile.ts'
import { overlaps } from './conflict.ts'
import { daysFrom } from './days.ts'
import { devicesOf, readRules, readTargets } from './rule.queries.ts'
import type { Aim } from './rule.queries.ts'
import { aimOf, requireAim } from './rule.service.ts'
import { wayOf } from './way.ts'

/** Days of the strip of holidays, and days whose times are shown. */
const [strip_days, shown_days] = [60, 14] as const

/** What a rule would do: the next days, their times, who would follow it and how, and with which rules it meets. Writes nothing. @throws Refusal 404 */
export async function previewRule(ctx: DevicesCtx, draft: Input<typeof ruleApi.preview>): Promise<Reply<typeof ruleApi.preview>> {
  await requireAim(ctx, draft)
  const { kind } = draft.body
  const today = schoolMoment(ctx.now).date
  const days = daysFrom(today, strip_days)
  const fact = { rule_id: '0', priority: draft.priority, valid_from: draft.valid_from, valid_to: draft.valid_to, calendar_mode: draft.calendar_mode, body: draft.body }
  const devices = await devicesOf(ctx.db, ctx.school_id, kind, draft)
  const is_opening = draft.body.kind === 1 && draft.body.windows.some(window => window.mode === 'always_open')
  return {
    days,
    times: days.slice(0, shown_days).map(({ date }) => ({ date, windows: timesOn([fact], date) })),
    devices: devices.map(device => {
      const way = wayOf(kind, device)
      return { device_id: device.device_id, device_name: device.device_name, node_path_name: device.node_path_name, way: way === 'permissions' && is_opening ? 'unsupported' : way, online: device.online }
    }),
    conflicts: await conflictsOf(ctx, draft),
  }
}

/** The rules that say something of the same minutes of the same device with the same priority (chapter 30 rule 18). */
export async function conflictsOf({ db, school_id }: DevicesCtx, draft: Pick<DeviceRuleDraft, 'priority' | 'body' | 'valid_from' | 'valid_to'> & Aim & { rule_id?: string | undefined }): Promise<{ rule_id: string; rule_name: string }[]> {
  const { kind } = draft.body
  const rivals = (await readRules(db, school_id, kind)).filter(rule => rule.enabled && rule.rule_id !== draft.rule_id && rule.priority === draft.priority && overlaps(rule, draft))
  if (rivals.length === 0) return []
  const own = new Set((await devicesOf(db, school_id, kind, draft)).map(device => device.device_id))
  const targets = await readTargets(db, school_id, rivals.map(rule => rule.rule_id))
  const met: { rule_id: string; rule_name: string }[] = []
  for (const { rule_id, rule_name } of rivals) {
    const theirs = await devicesOf(db, school_id, kind, aimOf(targets.filter(target => target.rule_id === rule_id)))
    if (theirs.some(device => own.has(device.device_id))) met.push({ rule_id, rule_name })
  }
  return met
}
