/** A row as it is known. `is_there`: the device holds it in some version, or may; `blocked_after`: it is being taken off, and why it is not put again. */
export type KnownRow = { row_key: string; want_op: string; want_hash: string; state: string; reason_code: string | null; blocked_after: string | null; is_there: boolean }

/** Whether a row is to be there, now or when what keeps it away is over. */
export function isWanted({ want_op, blocked_after }: Pick<KnownRow, 'want_op' | 'blocked_after'>): boolean {
  return want_op === 'put' || blocked_after !== null
}

/** Whether a row is on its way to what it is to become, or there. `blocked`: why it is not to be sent for now. */
export function isSame(before: KnownRow, { hash, blocked }: { hash: string; blocked: string | null }): boolean {
  if (before.want_op === 'delete') return before.blocked_after !== null && before.blocked_after === blocked
  return before.want_hash === hash && (before.state === 'blocked' ? before.reason_code : null) === blocked
}
