import type { ApprovalCtx, ApprovalProvider } from '@campus/approval/server'
import { change_kinds, changeErrors } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingCtx, TeachingDb } from '../db.ts'
import { answerCover } from './consent.service.ts'
import { order_states } from './order.ts'
import { approveRequest, lessonText, readRequests, refuseRequest } from './request.service.ts'

const approve_code = 'teaching.change.approve'
const kind_names: Readonly<Record<number, string>> = change_kinds
const actions = [
  { code: 'pass', title: '同意', needs_reason: false, danger: false },
  { code: 'refuse', title: '拒绝', needs_reason: true, danger: true },
]
const teachingCtx = (ctx: ApprovalCtx): TeachingCtx => ({ ...ctx, db: asTables<TeachingDb>(ctx.db) })

/** Changes of lessons in the one list of what waits: those that ask me, and for the office those that all agreed to (chapter 50 §2). */
export const changeProvider: ApprovalProvider = {
  code: 'lesson_change',
  title: '调课',
  count: async ctx => (await waitingFor(ctx)).length,
  async page(ctx, limit) {
    return (await waitingFor(ctx)).slice(0, limit).map(one => ({
      item_id: one.id, version: one.state, since: one.asked_at.toISOString(), due_at: one.lesson.begin_at, is_late: false, actions,
      title: `${one.by_name} ${kind_names[one.kind] ?? ''} ${one.order_no}`,
      about: [lessonText(one.lesson), one.target, one.reason].filter(Boolean).join(' · '),
    }))
  },
  async act(ctx, { item_id, action, opinion, version }) {
    const own = teachingCtx(ctx)
    const order = (await waitingFor(ctx)).find(one => one.id === item_id)
    if (!order || !actions.some(one => one.code === action)) throw fail(commonErrors.notFound)
    if (order.state !== version) throw fail(changeErrors.settled)
    if (order.state === order_states.asked) await answerCover(own, { id: item_id, agreed: action === 'pass', text: opinion ?? '' })
    else if (action === 'pass') await approveRequest(own, item_id)
    else await refuseRequest(own, { id: item_id, text: opinion ?? '' })
  },
}

/** Requests of teachers that wait for the caller and whose lesson has not begun, the longest first. */
async function waitingFor(ctx: ApprovalCtx) {
  const { me, school_id } = ctx
  const asks_me = sql`o.state = ${order_states.asked} and exists (select 1 from change_item i
    where i.school_id = ${school_id} and i.order_id = o.id and i.asked_id = ${me.user_id} and i.agreed_at is null)`
  const office = me.codes.has(approve_code) ? sql`or (o.state = ${order_states.approval} and o.applied_by <> ${me.user_id})` : sql``
  const rows = await readRequests(teachingCtx(ctx), sql<boolean>`o.needs_approval and (${asks_me} ${office})`)
  return rows.filter(one => one.may_withdraw).toReversed()
}
