import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { most_told, pay_channels, peopleEvents } from '@campus/people/contract'
import type { PayChannel } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import { chunks } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import type { ChannelDesk } from '../whitelist/channel-port.ts'
import { signChannelPort } from './channel-port.ts'

/** A channel that has not answered for so long is looked after by hand (chapter 20 §2). */
const patience_ms = 86_400_000
const check_work = 'people_sign_check'
const waits_for_channel = '支付渠道尚未开通，开通后自动提交解约'
const silent_channel = '支付渠道24小时未答复，请与支付渠道核对'

/**
 * Asks the channels to end these contracts: signed ones, and those on which the channel has been silent. Others are left as they are.
 * @returns the ids that wait for the channel now
 */
export async function terminateContracts(desk: Publisher, ids: readonly string[], reason: string): Promise<string[]> {
  const { school_id, now } = desk
  const db = asTables<PeopleDb>(desk.db)
  const asked = await db
    .updateTable('sign_contract')
    .set({ state: 'terminating', reason, terminating_at: now, asked_at: null, needs_check: false, fail_msg: null, row_version: sql`row_version + 1` })
    .where('school_id', '=', school_id)
    .where(oneOf('id', ids))
    .where(sql<boolean>`(state = 'signed' or needs_check)`)
    .returning('id')
    .execute()
  if (asked.length === 0) return []
  await addWork(db, { school_id, kind: check_work, ref: String(now.getTime()), due_at: new Date(now.getTime() + patience_ms) })
  await askChannels(desk)
  const told = asked.map(row => row.id)
  await tellSign(desk, told)
  return told
}

/** Asks every channel that is there for the contracts that wait for it; those of the others go on waiting, and are asked for with the next one after it is there. */
async function askChannels(desk: ChannelDesk): Promise<void> {
  const { app, school_id, now } = desk
  const db = asTables<PeopleDb>(desk.db)
  const rows = await db
    .selectFrom('sign_contract')
    .select(['id', 'channel', 'contract_no', 'user_id', 'signer_user_id', 'product'])
    .where('school_id', '=', school_id)
    .where('state', '=', 'terminating')
    .where('asked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const [name, waiting] of Map.groupBy(rows, row => row.channel)) {
    const channel = signChannelPort.all(app).find(one => one.channel === name)
    const told = channel ? { asked_at: now, fail_msg: null } : { fail_msg: waits_for_channel }
    await db.updateTable('sign_contract').set(told).where('school_id', '=', school_id).where(oneOf('id', waiting.map(row => row.id))).execute()
    if (channel) await channel.terminate(desk, waiting.map(({ id, contract_no, user_id, signer_user_id, product }) => ({ id, contract_no, user_id, signer_user_id, product })))
  }
}

/** What a channel says of a contract: it holds, it came to nothing, it has ended, it cannot be ended. `msg` is a Chinese sentence of at most 200 signs. */
export type ContractAnswer = { channel: PayChannel; contract_no: string; answer: 'signed' | 'failed' | 'terminated' | 'refused'; msg: string | null }

/**
 * Takes a channel's answer in the caller's transaction; an answer to a question that nobody asks changes nothing.
 * @returns whether the contract changed
 */
export async function answerContract(desk: Publisher, { channel, contract_no, answer, msg }: ContractAnswer): Promise<boolean> {
  const { school_id, now } = desk
  const db = asTables<PeopleDb>(desk.db)
  const row = await db.selectFrom('sign_contract').select(['id', 'state']).where('school_id', '=', school_id).where('channel', '=', channel).where('contract_no', '=', contract_no).forUpdate().executeTakeFirst()
  const is_asked = row?.state === (answer === 'signed' || answer === 'failed' ? 'signing' : 'terminating')
  if (!row || !is_asked) return false
  const next = {
    signed: { state: 'signed', signed_at: now, fail_msg: null },
    failed: { state: 'failed', fail_msg: msg },
    terminated: { state: 'terminated', terminated_at: now, needs_check: false, fail_msg: null },
    refused: { needs_check: true, fail_msg: msg },
  }[answer]
  await db.updateTable('sign_contract').set({ ...next, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', row.id).execute()
  await tellSign(desk, [row.id])
  return true
}

/** A day after contracts were to end: those on which the channel is silent wait for somebody. */
export const signCheck: WorkKind = {
  kind: check_work,
  async run(handle, { school_id, now, app }) {
    const db = asTables<PeopleDb>(handle)
    const late = await db
      .updateTable('sign_contract')
      .set({ needs_check: true, row_version: sql`row_version + 1`, fail_msg: sql<string>`case when asked_at is null then fail_msg else ${silent_channel} end` })
      .where('school_id', '=', school_id)
      .where('state', '=', 'terminating')
      .where('needs_check', '=', false)
      .where('terminating_at', '<=', new Date(now.getTime() - patience_ms))
      .returning('id')
      .execute()
    await tellSign({ app, db, school_id, now }, late.map(row => row.id))
  },
}

/** Tells the other domains that these contracts have changed. */
export async function tellSign(desk: Publisher, ids: readonly string[]): Promise<void> {
  for (const part of chunks(ids, most_told)) await publish(desk, peopleEvents.signChanged, { sign_ids: part })
}

/** The channel of a stored code. */
export function channelOf(code: string): PayChannel | null {
  return pay_channels.find(channel => channel === code) ?? null
}
