import type { ArchiveRow } from '@campus/audit/server'
import { peopleErrors, whitelist_purposes, whitelist_states } from '@campus/people/contract'
import type { whitelistApi, WhitelistRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { z } from 'zod'
import type { PeopleCtx } from '../db.ts'
import { namesOf } from '../deletion/delete-config.service.ts'
import { listedPeople } from '../deletion/listed-people.ts'
import { journalActs } from '../delegate/acted.ts'
import { labelsOn } from '../dept.service.ts'
import { lockPeople } from '../student-file.queries.ts'
import { seenBy } from '../tag.service.ts'
import { tellChannel, tellWhitelist } from './channel.ts'
import { endLines } from './ending.ts'
import { sealLogon } from './logon.ts'
import { guardiansOf, homesOf, linesOf, lockLines, pageLines, payees } from './whitelist.queries.ts'
import type { LockedLine } from './whitelist.queries.ts'

const Purpose = z.enum(whitelist_purposes)
const State = z.enum(whitelist_states)
const target_kind = 'people.alipay_whitelist'
const edited = 4
const pupil_kind = 1
export const purpose_names = { face_pay: '刷脸支付', recharge: '充值' } as const

/** Lines about people of the scope, the latest first. */
export async function listWhitelist(ctx: PeopleCtx, query: Input<typeof whitelistApi.page>): Promise<Reply<typeof whitelistApi.page>> {
  const { db, school_id, me } = ctx
  const seen = await seenBy(ctx)
  const { ids, total } = await pageLines(db, seen, query)
  const lines = await linesOf(db, school_id, ids)
  const homes = await homesOf(db, school_id, lines.map(line => line.user_id))
  const labels = await labelsOn(ctx, [...new Set(homes.values())], seen.on)
  const names = await namesOf(ctx, lines.flatMap(line => [line.created_by, line.approved_by].filter(id => id !== null)))
  const list = lines.map(({ alipay_logon_mask, created_at, created_by, approved_by, ...line }): WhitelistRow => ({
    ...line,
    purpose: Purpose.parse(line.purpose),
    state: State.parse(line.state),
    dept_name: labels.get(homes.get(line.user_id) ?? '') ?? '',
    alipay_logon: alipay_logon_mask,
    created_at: created_at.toISOString(),
    created_by_name: names.get(created_by) ?? '',
    approved_by_name: approved_by === null ? null : (names.get(approved_by) ?? ''),
    is_own: created_by === me.user_id,
  }))
  return { list, total }
}

/** Who may pay for somebody: the guardians of a pupil, the first contact first; staff themselves. @throws Refusal 404 */
export async function listPayers(ctx: PeopleCtx, { user_id }: Input<typeof whitelistApi.payers>): Promise<Reply<typeof whitelistApi.payers>> {
  const seen = await seenBy(ctx)
  const [person] = await payees(ctx.db, seen, [user_id])
  if (!person) throw fail(commonErrors.notFound)
  if (person.person_kind !== pupil_kind) return { list: [{ user_id, user_name: person.user_name, relation: null, mobile: null }] }
  const guardians = await guardiansOf(ctx.db, ctx.school_id, [user_id], seen.on)
  return { list: guardians.map(({ user_id: id, user_name, relation, mobile }) => ({ user_id: id, user_name, relation, mobile: mobile === null ? null : maskMobile(mobile) })) }
}

/**
 * Enters somebody; he waits for another person's approval.
 * @throws Refusal 404 for somebody outside the scope, 422 whitelistPayer, whitelistNoPayer, 409 whitelistTaken
 */
export async function addWhitelist(ctx: PeopleCtx, { user_id, payer_user_id, alipay_logon, purpose }: Input<typeof whitelistApi.add>): Promise<Reply<typeof whitelistApi.add>> {
  const { db, app, school_id, me, now } = ctx
  const seen = await seenBy(ctx)
  await lockPeople(db, school_id, [user_id])
  const [person] = await payees(db, seen, [user_id])
  if (!person) throw fail(commonErrors.notFound)
  const { person_kind } = person
  const allowed = person_kind === pupil_kind ? (await guardiansOf(db, school_id, [user_id], seen.on)).map(guardian => guardian.user_id) : [user_id]
  const payer = payer_user_id ?? allowed[0]
  if (payer === undefined) throw fail(peopleErrors.whitelistNoPayer, at('user_id', peopleErrors.whitelistNoPayer.msg))
  if (!allowed.includes(payer)) throw fail(peopleErrors.whitelistPayer, at('payer_user_id', peopleErrors.whitelistPayer.msg))
  const row = { school_id, user_id, person_kind, payer_user_id: payer, ...sealLogon(app.secrets, school_id, alipay_logon), purpose, created_at: now, created_by: me.user_id }
  const { id } = await db.insertInto('alipay_whitelist').values(row).returning('id').executeTakeFirstOrThrow()
  await settled(ctx, [{ id, user_id, purpose }], `${purpose_names[purpose]}：提交，待复核`)
  return { id }
}

/**
 * Agrees to lines of somebody else; the payment channel is asked to take them up.
 * @throws Refusal 404, 403 secondPerson for an own line, 409 whitelistState for one that is not waiting
 */
export async function approveWhitelist(ctx: PeopleCtx, { ids }: Input<typeof whitelistApi.approve>): Promise<Reply<typeof whitelistApi.approve>> {
  const { db, school_id, me, now } = ctx
  const lines = await requireLines(ctx, ids)
  if (lines.some(line => line.created_by === me.user_id)) throw fail(peopleErrors.secondPerson)
  if (lines.some(line => line.state !== 'pending')) throw fail(peopleErrors.whitelistState)
  await db.updateTable('alipay_whitelist').set({ state: 'approved', approved_by: me.user_id, approved_at: now }).where('school_id', '=', school_id).where('id', 'in', lines.map(line => line.id)).execute()
  const pushed = await tellChannel(ctx)
  await settled(ctx, lines, '复核通过')
  return { approved: lines.length, pushed }
}

/**
 * Takes lines off: at once while nothing was pushed, else when the channel has dropped them.
 * @throws Refusal 404, 409 whitelistState for one that is off already
 */
export async function removeWhitelist(ctx: PeopleCtx, { ids, reason }: Input<typeof whitelistApi.remove>): Promise<Reply<typeof whitelistApi.remove>> {
  const lines = await requireLines(ctx, ids)
  if (lines.some(line => ['failed', 'removing', 'removed'].includes(line.state))) throw fail(peopleErrors.whitelistState)
  const told = await endLines(ctx, lines.map(line => line.id), reason)
  await journal(ctx, lines, '移除')
  ctx.note({ target_kind, target_id: lines[0]?.id ?? '', target_name: `${lines.length}条`, reason })
  return told
}

async function requireLines(ctx: PeopleCtx, ids: readonly string[]): Promise<LockedLine[]> {
  const lines = await lockLines(ctx.db, await seenBy(ctx), ids)
  if (lines.length < new Set(ids).size) throw fail(commonErrors.notFound)
  return lines
}

type Line = Pick<LockedLine, 'id' | 'user_id' | 'purpose'>

async function settled(ctx: PeopleCtx, lines: readonly Line[], after: string): Promise<void> {
  await journal(ctx, lines, after)
  await tellWhitelist(ctx, lines.map(line => line.id))
  ctx.note({ target_kind, target_id: lines[0]?.id ?? '', target_name: `${lines.length}条`, after: { state: after } })
}

/** One archive row for each person, however many of his lines it is about. */
async function journal(ctx: PeopleCtx, lines: readonly Line[], after: string): Promise<void> {
  const people = await listedPeople(ctx.db, ctx.school_id, lines.map(line => line.user_id))
  const rows = people.map(({ user_id, user_name, snapshot }): ArchiveRow => ({
    person_kind: snapshot.person_kind, person_id: user_id, person_no: snapshot.user_no, person_name: user_name, dept_name: snapshot.dept_name ?? undefined,
    op_type: edited, source: 'typed', changes: [{ field: 'whitelist', label: '支付宝白名单', before: null, after }],
  }))
  if (rows.length > 0) await journalActs(ctx, rows)
}

function at(field: string, msg: string) {
  return { errors: [{ field, msg }] }
}
