import { alertTemplates } from '@campus/messages/contract'
import { id, Instant } from '@kit/contract'
import { consume } from '@kit/server/event'
import { z } from 'zod'
import { asMessages } from './db.ts'
import type { MessagesHandle } from './db.ts'
import { knownPeople } from './message.queries.ts'
import { schoolAdmins } from './role-holders.ts'
import { schoolMinute } from './school-time.ts'
import { send } from './send.ts'

const journal_names: Readonly<Record<string, string>> = { operation_log: '系统操作日志', archive_log: '档案操作日志' }

const most_named = 5
const longest_name = 9
const AccountId = id('identity.account')

const Ending = z.object({ role_no: id('identity.role_member'), role_name: z.string(), user_id: AccountId, user_name: z.string(), last_day: z.string() })

const Finished = z.object({ job_no: z.string(), title: z.string(), state: z.string(), user_id: AccountId, has_result: z.boolean(), is_told: z.boolean() })
const longest_title = 40

/** What happens below messages, where nobody may call `send`, becomes lines (chapter 10 M8). */
export const alertConsumers = [
  consume('messages.account_locked', 'identity.account.locked', z.object({ user_id: AccountId, until: Instant }), async (desk, { user_id, until }) => {
    const to = await hereOf(asMessages(desk.db), desk.school_id, [user_id])
    if (to.length > 0) await send(desk, { template: alertTemplates.accountLocked, source_ref: `locked/${user_id}/${until}`, to, values: { until: schoolMinute(new Date(until)) }, level: 2 })
  }),
  consume('messages.password_changed', 'identity.password.changed', z.object({ user_ids: z.array(AccountId), by_self: z.boolean() }), async (desk, { user_ids, by_self }) => {
    const to = await hereOf(asMessages(desk.db), desk.school_id, user_ids)
    const source_ref = `password/${user_ids[0]}/${desk.now.toISOString()}`
    if (to.length > 0) await send(desk, { template: alertTemplates.passwordChanged, source_ref, to, values: { who: by_self ? '本人' : '管理员', at: schoolMinute(desk.now) }, level: 2 })
  }),
  consume('messages.session_stolen', 'identity.session.stolen', z.object({ session_id: z.uuid(), user_id: AccountId, device_label: z.string() }), async (desk, { session_id, user_id, device_label }) => {
    const to = await hereOf(asMessages(desk.db), desk.school_id, [user_id])
    const values = { device: device_label, at: schoolMinute(desk.now) }
    if (to.length > 0) await send(desk, { template: alertTemplates.sessionStolen, source_ref: `stolen/${session_id}`, to, values, level: 2 })
  }),
  consume('messages.remember_stolen', 'identity.remember.stolen', z.object({ user_id: AccountId, at: Instant }), async (desk, { user_id, at }) => {
    const to = await hereOf(asMessages(desk.db), desk.school_id, [user_id])
    if (to.length > 0) await send(desk, { template: alertTemplates.rememberStolen, source_ref: `remembered/${user_id}/${at}`, to, values: { at: schoolMinute(new Date(at)) }, level: 2 })
  }),
  consume('messages.super_entered', 'identity.super.entered', z.object({ user_name: z.string(), reason: z.string() }), async (desk, { user_name, reason }) => {
    const to = await schoolAdmins(desk)
    const source_ref = `super/${user_name}/${desk.now.toISOString()}`
    if (to.length > 0) await send(desk, { template: alertTemplates.superEntered, source_ref, to, values: { who: user_name, at: schoolMinute(desk.now), reason }, link: '/SystemLog', level: 2 })
  }),
  consume('messages.member_ending', 'identity.member.ending', z.object({ members: z.array(Ending) }), async (desk, { members }) => {
    const here = new Set((await hereOf(asMessages(desk.db), desk.school_id, members.map(({ user_id }) => user_id))).map(({ user_id }) => user_id))
    for (const { role_no, role_name, user_id, last_day } of members.filter(one => here.has(one.user_id))) {
      await send(desk, { template: alertTemplates.memberEnding, source_ref: `ending/${role_no}/${last_day}`, to: [{ user_id }], values: { role: role_name, day: last_day }, level: 2 })
    }
    const to = await schoolAdmins(desk)
    if (to.length > 0) await send(desk, { template: alertTemplates.membersEnding, source_ref: `endings/${desk.now.toISOString()}`, to, values: { count: String(members.length), names: namesOf(members) }, link: '/RoleMemberSet', level: 1 })
  }),
  consume('messages.job_finished', 'job.job.finished', Finished, async (desk, { job_no, title, state, user_id, has_result, is_told }) => {
    const to = is_told ? await hereOf(asMessages(desk.db), desk.school_id, [user_id]) : []
    const values = { title: cut(title, longest_title), result: resultOf(state, has_result) }
    if (to.length > 0) await send(desk, { template: alertTemplates.jobFinished, source_ref: `job/${job_no}`, to, values, level: 1 })
  }),
  consume('messages.chain_broken', 'audit.chain.broken', z.object({ table_name: z.string(), count: z.number().int() }), async (desk, { table_name, count }) => {
    const to = await schoolAdmins(desk)
    const source_ref = `chain/${table_name}/${desk.now.toISOString()}`
    const values = { journal: journal_names[table_name] ?? table_name, count: String(count) }
    if (to.length > 0) await send(desk, { template: alertTemplates.chainBroken, source_ref, to, values, link: '/SystemLog', level: 3 })
  }),
]

/** As many of them as a line holds, whole ones; the others are counted. */
function namesOf(members: readonly z.output<typeof Ending>[]): string {
  const told = members.slice(0, most_named).map(({ user_name, role_name }) => `${cut(user_name)}（${cut(role_name)}）`)
  return told.join('、') + (members.length > most_named ? `等${members.length}人` : '')
}

function resultOf(state: string, has_result: boolean): string {
  if (state === 'failed') return '没有成功'
  return state === 'partly' ? '已结束，部分内容没有成功' : has_result ? '已完成，可以下载结果' : '已完成'
}

function cut(name: string, most: number = longest_name): string {
  return [...name].slice(0, most).join('')
}

/** Those who are in the school: an account may be of several, a line is only for the people of this one. */
async function hereOf(db: MessagesHandle, school_id: number, user_ids: readonly string[]) {
  const known = await knownPeople(db, school_id, user_ids)
  return [...known].flatMap(([user_id, left_at]) => (left_at === null ? [{ user_id }] : []))
}
