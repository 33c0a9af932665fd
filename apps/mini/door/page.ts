import type { WallPass } from '@campus/access/contract'
import type { CallOf } from '../shell/session.ts'
import type { door } from './app.ts'

/** Calls of the manifest; another one does not compile. */
type DoorCall = CallOf<(typeof door)['calls']>

/** What every page has: how to call, and a word to the user. */
export type DoorPage = { call: DoorCall; say: (msg: string) => void }

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', timeStyle: 'short' })
/** 07:21. */
export const clockText = (instant: string): string => clock.format(new Date(instant))

const refusals: Readonly<Record<number, string>> = {
  2: '无权限',
  3: '不在时段',
  4: '未请假',
  6: '黑名单',
  9: '卡已挂失',
  10: '需家长接送',
  11: '次数已用完',
  12: '已过期',
  13: '禁行',
}

export const refusalText = (result: number): string => refusals[result] ?? '被拒'
export const wayText = (direction: number): string => ({ 1: '进', 2: '出' })[direction] ?? ''
export const whoText = ({ user_name, user_id }: WallPass): string => user_name ?? (user_id === null ? '陌生人' : '已注销人员')
