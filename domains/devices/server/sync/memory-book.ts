import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import type { RowResult } from '@kit/terminal-protocol'
import type { Content } from './bodies.ts'
import type { Ready } from './ready.ts'
import type { Change } from './row.write.ts'
import type { OutRow, RowName } from './out-row.ts'
import { oneMessage, sortRead, sortSaid } from './sorting.ts'
import type { RowBook } from './vf105.talk.ts'

const retry_ms = 300_000
type Kept = OutRow & { user_id: string | null; state: string; at: number; reason_code: string | null; is_there: boolean }

/** Rows of a played device in memory, for tests without a database: keeps what it is told, and decides nothing. */
export class MemoryBook implements RowBook {
  readonly rows = new Map<string, Kept>()
  /** what the device holds and nobody has put there */
  readonly foreigners: string[] = []
  contents: ReadonlyMap<string, Content> = new Map()
  now = 0
  #version = 0

  /** New versions of what has changed. */
  write(changes: readonly Change[]): void {
    for (const { kind, row_key, user_id, want_op, want_hash, prio, state, reason_code } of changes) {
      const before = this.rows.get(`${kind} ${row_key}`)
      this.#version += 1
      if (kind === 'permission' || kind === 'person' || kind === 'credential') this.rows.set(`${kind} ${row_key}`, { kind, row_key, user_id, want_op, want_hash, prio, state, reason_code, want_version: String(this.#version), at: this.now, is_there: before?.is_there ?? false })
    }
  }

  /** whether nothing is to be done any more */
  get is_done(): boolean {
    return [...this.rows.values()].every(row => row.state === 'applied')
  }

  async unknown() {
    const [first] = this.#of('unknown')
    return this.#of('unknown').filter(row => row.kind === first?.kind)
  }

  async ready(): Promise<Ready[]> {
    const waits = this.#waits
    const due = oneMessage(this.#of('pending').filter(row => !waits(row))).slice(0, driver.limits('').rows_per_command)
    const rows = due.map((out): Ready => ({ out, down: { k: out.kind, key: out.row_key, op: out.want_op, ver: Number(out.want_version), hash: out.want_hash }, ...(out.want_op === 'put' ? this.#content(out) : {}) }))
    const quick = rows.filter(row => !row.photo)
    return quick.length > 0 ? quick : rows
  }

  limits = async () => driver.limits('')
  sent = async (rows: readonly RowName[]) => this.#set(rows, { state: 'sent', is_there: true })
  again = async (rows: readonly RowName[]) => this.#set(rows, { state: 'pending' })
  wants = async (key_id: string) => this.rows.get(`credential ${key_id}`)?.want_op === 'put'
  foreign = async (kind: string, row_key: string) => void this.foreigners.push(`${kind} ${row_key}`)
  lost = async (rows: readonly RowName[]) => this.#set(rows, { state: 'unknown' })

  async said(rows: readonly RowName[], results: readonly RowResult[]) {
    const { held, unknown, later, refused } = sortSaid(rows, results)
    this.#hold(held)
    this.#set(unknown, { state: 'unknown' })
    this.#set(later, { state: 'pending', at: this.now + retry_ms })
    this.#set(refused, { state: 'refused' })
  }

  async read(rows: readonly OutRow[], held: ReadonlyMap<string, string> | undefined) {
    if (!held) return this.#set(rows, { at: this.now + retry_ms })
    const { right, wrong } = sortRead(rows, held)
    this.#hold(right)
    this.#set(wrong, { state: 'pending' })
  }

  #content(out: OutRow) {
    const { body, photo } = this.contents.get(out.row_key) ?? {}
    return { down: { k: out.kind, key: out.row_key, op: out.want_op, ver: Number(out.want_version), hash: out.want_hash, ...(body ? { body } : {}) }, ...(photo ? { photo } : {}) }
  }

  #of(state: string): Kept[] {
    return [...this.rows.values()].filter(row => row.state === state && row.at <= this.now).toSorted((a, b) => a.prio - b.prio || a.want_op.localeCompare(b.want_op) || Number(a.want_version) - Number(b.want_version))
  }

  /** Which rows wait: nobody goes before his permissions, and no permission before those who had it. */
  get #waits(): (row: Kept) => boolean {
    const open = new Set([...this.rows.values()].filter(row => row.want_op === 'put' && (row.state === 'sent' || row.state === 'unknown' || (row.state === 'pending' && row.at > this.now))).map(row => row.kind))
    return ({ kind, want_op }) => open.has('permission') && kind === 'person' && want_op === 'put' || open.has('person') && kind === 'permission' && want_op === 'delete'
  }

  #hold(rows: readonly RowName[]): void {
    for (const row of rows) {
      const kept = this.rows.get(`${row.kind} ${row.row_key}`)
      if (kept?.want_op === 'delete' && kept.want_version === row.want_version) this.rows.delete(`${row.kind} ${row.row_key}`)
      else this.#set([row], { state: 'applied' })
    }
  }

  #set(rows: readonly RowName[], more: Partial<Kept>): void {
    for (const { kind, row_key, want_version } of rows) {
      const row = this.rows.get(`${kind} ${row_key}`)
      if (row?.want_version === want_version) Object.assign(row, more)
    }
  }
}
