import type { QuitGroup, QuitRow } from '@campus/people/contract'
import { CHANGE_KIND, change_kinds } from '@campus/people/contract'

export const group_names: Readonly<Record<QuitGroup, string>> = { grad: '毕业', out: '转出', other: '其他' }

/** 毕业, 转出, 退休 …: how somebody left. */
export function closeName(close_kind: string): string {
  const known = change_kinds.find(kind => kind === close_kind)
  return known ? CHANGE_KIND.names[known] : close_kind || '离校'
}

/** `3/5`: stores that confirmed, of those that were asked. */
export function clearedText({ cleared }: Pick<QuitRow, 'cleared'>): string | undefined {
  return cleared === null ? undefined : `${cleared.acked}/${cleared.asked}`
}
