import type { explainApi } from '@campus/access/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolMoment } from '@kit/terminal-protocol'
import type { AccessCtx } from '../db.ts'
import { decide } from '../decide/decide.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import { requirePeople } from './scope.ts'

const [minute_ms, looked_ahead] = [60_000, 7 * 24 * 12] as const
const step_ms = 5 * minute_ms
const way_names = ['', '进', '出', '进出'] as const

/** Whether somebody may pass a door at an instant (default now), why, and when he next may. @throws Refusal 404 */
export async function explain(ctx: AccessCtx, { user_id, place_id, direction, at }: Input<typeof explainApi.read>): Promise<Reply<typeof explainApi.read>> {
  const { db, school_id, now } = ctx
  const [found] = await requirePeople(ctx, [user_id])
  const site = (await readSites(db, school_id)).find(one => one.place_id === place_id)
  if (!found || !site) throw fail(commonErrors.notFound)
  const when = at === undefined ? now : new Date(at)
  const facts = await readFacts(db, school_id, new Date(Math.min(when.getTime(), now.getTime())))
  const [known] = await readSubjects(db, facts, { school_id, at: when, user_ids: [user_id] })
  const subject = known ?? { user_id, user_name: found.user_name, person_kind: found.person_kind, live: [], levels: [], grade: null, study_method: null, by_bus: false, tag_ids: [], wards: [] }
  const way = direction === 1 ? 1 : direction === 2 ? 2 : 3
  const said = decide(facts, subject, site, way, when.getTime())
  const next = said.allowed ? undefined : Array.from({ length: looked_ahead }, (_, n) => Math.floor(when.getTime() / step_ms) * step_ms + (n + 1) * step_ms).find(moment => decide(facts, subject, site, way, moment).allowed)
  const held = await db.selectFrom('sync_person_v').select('device_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('kind', '=', 'person').where('want_op', '=', 'put').where('state', '=', 'applied').execute()
  const on_device = new Set(held.map(row => row.device_id))
  const next_text = next === undefined ? (said.allowed ? '' : '，未来7天内没有可通行的时间') : `，最近可通行：${textOf(new Date(next))}`
  return {
    allowed: said.allowed, result: said.result, ladder: said.ladder,
    sentence: `${found.user_name}（${found.dept_name ?? ''}）${textOf(when)}${said.allowed ? '可以' : '不能'}从${site.place_name}${way_names[direction]}：${said.reason}${next_text}`,
    next_allowed_at: next === undefined ? null : new Date(next).toISOString(),
    devices: site.devices.map(device => ({ device_name: device.device_name, online: device.online, direction: device.direction, has_person: on_device.has(device.device_id) })),
  }
}

function textOf(at: Date): string {
  const { date, minute } = schoolMoment(at)
  return `${date.slice(5)} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
