import type { QuitRow } from '@campus/people/contract'

/** `3/5`: stores that confirmed, of those that were asked. */
export function clearedText({ cleared }: Pick<QuitRow, 'cleared'>): string | undefined {
  return cleared === null ? undefined : `${cleared.acked}/${cleared.asked}`
}
