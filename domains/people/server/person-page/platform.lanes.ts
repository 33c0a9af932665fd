import { accountFacts, membershipFacts } from '@campus/identity/server'
import type { MessagesViews } from '@campus/messages/server'
import { sql } from 'kysely'
import { within } from './lane-span.ts'
import type { TimelineAsked, TimelineProvider } from './timeline-port.ts'

// The domains below people cannot fill a port of people, so people ask them, as with the inbox of a merged person (docs/decisions/0020).

const everybody = ['student', 'staff', 'parent'] as const
const account_words = { opened: '建立账号', left: '账号随离校停用', password_own: '本人设置了登录密码', password_first: '发放初始密码', password_reset: '登录密码被重置', login_web: '登录管理后台', login_mini: '登录移动应用' } as const

/** Roles given and ended; a role that is held on somebody's behalf says so. */
const roleLane: TimelineProvider = {
  lane: 'identity.role', title: '角色', need: 'identity.member.view', facets: everybody,
  items: async ({ own, school_id, now }, asked) => {
    const facts = await own(db => membershipFacts(db, { school_id, now }, asked.user_id))
    return pick(facts.flatMap(({ role_no, role_name, acted_for, began_at, ended_at }) => {
      const name = `角色“${role_name}”${acted_for === null ? '' : `（代 ${acted_for}）`}`
      const item = { domain: 'identity', link: null }
      return [
        { ...item, id: `begin.${role_no}`, at: began_at, kind: 'role_begin', title: `获得${name}` },
        ...(ended_at === null ? [] : [{ ...item, id: `end.${role_no}`, at: ended_at, kind: 'role_end', title: `不再担任${name}` }]),
      ]
    }), asked)
  },
}

/** The account, its present password and the logins that are still known, without addresses. */
const accountLane: TimelineProvider = {
  lane: 'identity.account', title: '账号', need: 'identity.account.manage', facets: everybody,
  items: async ({ own, school_id }, asked) => {
    const facts = await own(db => accountFacts(db, school_id, asked.user_id))
    return pick(facts.map(({ id, at, kind, device }) => ({ id, at, domain: 'identity', kind, title: `${account_words[kind]}${device === null || device === '' ? '' : `（${device}）`}`, link: null })), asked)
  },
}

/** What the person was told, and whether he has read it. */
const messageLane: TimelineProvider = {
  lane: 'messages.inbox', title: '消息', need: 'messages.message.view', facets: everybody,
  items: ({ own, school_id }, asked) => own<MessagesViews, Awaited<ReturnType<TimelineProvider['items']>>>(async db => {
    const at = sql`date_trunc('milliseconds', m.at)`
    const { rows } = await sql<{ id: string; at: Date; title: string; is_read: boolean }>`
      select m.message_id::text as id, ${at} as at, m.title, m.read_at is not null as is_read from message_person_v m
      where m.school_id = ${school_id} and m.user_id = ${asked.user_id} and ${within(at, sql`m.message_id::text`, asked)}
      order by 2 desc, m.message_id::text collate "C" desc limit ${asked.limit}`.execute(db)
    return rows.map(({ id, at: sent_at, title, is_read }) => ({ id, at: sent_at, domain: 'messages', kind: is_read ? 'read' : 'unread', title: `${title}（${is_read ? '已读' : '未读'}）`, link: null }))
  }),
}

/** What identity and messages tell of a person. */
export const platform_lanes: readonly TimelineProvider[] = [roleLane, accountLane, messageLane]

type Item = Awaited<ReturnType<TimelineProvider['items']>>[number]

/** The asked part of a few facts that are known as a whole. */
function pick(items: readonly Item[], { since, until, before, limit }: TimelineAsked): Item[] {
  const first = (a: Item, b: Item) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)
  const is_before = ({ at, id }: Item) => before === null || at < before.at || (at.getTime() === before.at.getTime() && id < before.below)
  return items.filter(item => (since === null || item.at >= since) && (until === null || item.at < until) && is_before(item)).toSorted(first).slice(0, limit)
}
