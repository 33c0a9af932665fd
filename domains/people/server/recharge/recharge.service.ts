import { pay_channels, peopleErrors, peopleEvents, rechargeFaults } from '@campus/people/contract'
import type { rechargeApi, RechargeCard, RechargeRules, RechargeVersion } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../deletion/delete-config.service.ts'

type Kind = RechargeCard['person_kind']
type Row = Awaited<ReturnType<typeof readVersions>>[number]
const Channels = z.array(z.enum(pay_channels))
const State = z.enum(['pending', 'active'])
const target_kind = 'people.recharge_config'
const school_kinds: readonly Kind[] = [1, 2, 3]
const enterprise_kinds: readonly Kind[] = [6, 7]
const enterprise = 2
const kind_names: Readonly<Record<Kind, string>> = { 1: '学生', 2: '教职工', 3: '家长', 6: '员工', 7: '外聘人员' }

/** What holds and what waits, a card for each person kind of the school. */
export async function readRecharge(ctx: PeopleCtx): Promise<Reply<typeof rechargeApi.config>> {
  const { db, school_id, me } = ctx
  const { school_type } = await db.selectFrom('school_v').select('school_type').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const rows = await readVersions(ctx)
  const latest = await db.selectFrom('recharge_config').select(['person_kind', sql<number>`max(version)`.as('version')]).where('school_id', '=', school_id).groupBy('person_kind').execute()
  const names = await namesOf(ctx, rows.flatMap(row => [row.created_by, row.approved_by].filter(id => id !== null)))
  const shown = (kind: Kind, state: string): RechargeVersion | null => {
    const row = rows.find(one => one.person_kind === kind && one.state === state)
    return row ? versionOf(row, names, me.user_id) : null
  }
  const kinds = school_type === enterprise ? enterprise_kinds : school_kinds
  return { list: kinds.map(kind => ({ person_kind: kind, latest: latest.find(row => row.person_kind === kind)?.version ?? 0, active: shown(kind, 'active'), pending: shown(kind, 'pending') })) }
}

function readVersions({ db, school_id }: PeopleCtx) {
  return db.selectFrom('recharge_config').selectAll().where('school_id', '=', school_id).where('state', 'in', ['pending', 'active']).execute()
}

function versionOf(row: Row, names: ReadonlyMap<string, string>, reader: string): RechargeVersion {
  const { version, is_open, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source, created_by, approved_by } = row
  return {
    version, is_open, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source,
    channels: Channels.parse(row.channels),
    state: State.parse(row.state),
    created_at: row.created_at.toISOString(),
    created_by_name: names.get(created_by) ?? '',
    approved_at: row.approved_at?.toISOString() ?? null,
    approved_by_name: approved_by === null ? null : (names.get(approved_by) ?? ''),
    is_own: created_by === reader,
  }
}

/**
 * Submits a version; one that was waiting is refused by it, what holds goes on until another person approves.
 * @throws Refusal 422 with the fields when amounts contradict each other, 409 staleRow when somebody has submitted since it was read
 */
export async function saveRecharge(ctx: PeopleCtx, { person_kind, latest, ...rules }: Input<typeof rechargeApi.save>): Promise<Reply<typeof rechargeApi.save>> {
  const { db, school_id, me, now } = ctx
  const faults = rechargeFaults(rules)
  if (faults.length > 0) throw fail(commonErrors.invalid, { errors: faults })
  const card = await lockKind(ctx, person_kind)
  if (card.latest !== latest) throw fail(peopleErrors.rechargeStale)
  const version = latest + 1
  await db.updateTable('recharge_config').set({ state: 'refused' }).where('school_id', '=', school_id).where('person_kind', '=', person_kind).where('state', '=', 'pending').execute()
  await db.insertInto('recharge_config').values({ school_id, person_kind, version, ...rules, state: 'pending', created_at: now, created_by: me.user_id }).execute()
  ctx.note({ target_kind, target_id: `${person_kind}/${version}`, target_name: `${kind_names[person_kind]}充值配置 第${version}版`, after: notedOf(rules), ...(card.active ? { before: notedOf(card.active) } : {}) })
  return readRecharge(ctx)
}

/** Rules as the log names them: channels of payment, not of the console. */
function notedOf({ is_open, channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source }: RechargeRules): Record<string, unknown> {
  return { is_open, pay_channels: channels, min_fen, max_fen, quick_fen, day_limit_fen, balance_cap_fen, refund_to_source }
}

/**
 * Lets a version of somebody else hold from now on, or refuses it.
 * @throws Refusal 404 for a version that never was, 403 secondPerson for an own one, 409 rechargeState for one that waits no longer
 */
export async function approveRecharge(ctx: PeopleCtx, { version_no, person_kind, pass }: Input<typeof rechargeApi.approve>): Promise<Reply<typeof rechargeApi.approve>> {
  const { db, school_id, me, now } = ctx
  await lockKind(ctx, person_kind)
  const of = db.updateTable('recharge_config').where('school_id', '=', school_id).where('person_kind', '=', person_kind)
  const row = await db.selectFrom('recharge_config').select(['state', 'created_by']).where('school_id', '=', school_id).where('person_kind', '=', person_kind).where('version', '=', version_no).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  if (row.state !== 'pending') throw fail(peopleErrors.rechargeState)
  if (row.created_by === me.user_id) throw fail(peopleErrors.secondPerson)
  if (pass) await of.set({ state: 'old' }).where('state', '=', 'active').execute()
  await of.set({ state: pass ? 'active' : 'refused', approved_by: me.user_id, approved_at: now }).where('version', '=', version_no).execute()
  if (pass) await publish(ctx, peopleEvents.rechargeChanged, { person_kind, version: version_no })
  ctx.note({ target_kind, target_id: `${person_kind}/${version_no}`, target_name: `${kind_names[person_kind]}充值配置 第${version_no}版`, after: { state: pass ? '复核通过' : '驳回' } })
  return readRecharge(ctx)
}

/** One writer of a person kind at a time, first versions included. @throws Refusal 404 for a person kind that the school does not have */
async function lockKind(ctx: PeopleCtx, person_kind: Kind): Promise<RechargeCard> {
  await sql`select pg_advisory_xact_lock(hashtext(${`people.recharge:${ctx.school_id}:${person_kind}`}))`.execute(ctx.db)
  const card = (await readRecharge(ctx)).list.find(one => one.person_kind === person_kind)
  if (!card) throw fail(commonErrors.notFound)
  return card
}
