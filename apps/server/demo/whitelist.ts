import { createWhitelist } from '@campus/people/server'
import type { NewWhitelist } from '@campus/people/server'
import type { payeesOf } from './payees.ts'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

const day_ms = 86_400_000
const staff_lines = 30
/** How many lines stand in which state: 210 in all (chapter 20 §8). */
const in_state = { active: 146, pending: 18, approved: 6, pushing: 8, failed: 10, removing: 6, removed: 16 } as const
const words: Partial<Record<NewWhitelist['state'], string>> = {
  approved: '支付渠道尚未开通，开通后自动处理', failed: '支付宝账号与实名信息不一致', pushing: '已提交，等待支付渠道确认', removing: '已提交移除，等待支付渠道确认',
}

type Payees = Awaited<ReturnType<typeof payeesOf>>

/** The Alipay whitelist of the main school: pupils whose first contact pays, and some staff. */
export async function fillWhitelist({ db, app, school_id, today }: Work, { pupils, staff }: Payees): Promise<void> {
  const states = Object.entries(in_state).flatMap(([state, count]) => Array.from({ length: count }, () => stateOf(state)))
  const chosen = [...spread(pupils, states.length - staff_lines).map(one => ({ ...one, person_kind: 1 })), ...spread(staff, staff_lines).map(one => ({ ...one, person_kind: 2 }))]
  const [entered_by, agreed_by] = staff.slice(-2).map(one => one.user_id)
  if (entered_by === undefined || agreed_by === undefined) return
  const now = startOfDay(today).getTime()
  const lines = chosen.map(({ mobile, ...one }, at): NewWhitelist => {
    const state = states[(at * 37) % states.length] ?? 'active'
    const days = state === 'pending' ? at % 3 : 4 + (at % 70)
    return {
      ...one, alipay_logon: at % 5 === 0 ? `u${mobile.slice(3)}@example.com` : mobile, purpose: at % 3 === 0 ? 'recharge' : 'face_pay', state, created_by: entered_by, at: new Date(now - days * day_ms - at * 60_000),
      ...(words[state] === undefined ? {} : { channel_msg: words[state] }), ...(state === 'pending' ? {} : { approved_by: agreed_by }),
    }
  })
  await createWhitelist(db, app.secrets, school_id, lines)
}

function stateOf(name: string): NewWhitelist['state'] {
  const states: readonly NewWhitelist['state'][] = ['pending', 'approved', 'pushing', 'active', 'failed', 'removing', 'removed']
  return states.find(state => state === name) ?? 'active'
}
