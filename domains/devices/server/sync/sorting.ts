import type { RowResult } from '@kit/terminal-protocol'
import type { OutRow, RowName } from './out-row.ts'

/** Faces in one message: a terminal fetches each of them before it answers. */
export const face_prio = 7
const most_faces = 50

/** Of what is due as much as goes together. One message holds puts alone or deletions alone: their order among each other is the order of the messages. */
export function oneMessage(due: readonly OutRow[]): OutRow[] {
  const end = due.findIndex(row => row.want_op !== due[0]?.want_op)
  const alike = due.slice(0, end < 0 ? due.length : end)
  return alike.slice(0, alike[0]?.prio === face_prio && alike[0].want_op === 'put' ? most_faces : alike.length)
}

/** What a device has said of rows: what it holds now, what it refuses, what is tried again later; a row without a line is unknown (chapter 30 rule 6). */
export function sortSaid(rows: readonly RowName[], results: readonly RowResult[]): { held: RowName[]; unknown: RowName[]; later: RowName[]; refused: (RowName & { result: RowResult })[] } {
  const known = new Map(results.map(result => [`${result.k} ${result.key} ${result.ver}`, result]))
  const told = rows.map(({ kind, row_key, want_version }) => ({ kind, row_key, want_version, result: known.get(`${kind} ${row_key} ${want_version}`) }))
  const by = (...states: (RowResult['status'] | undefined)[]) => told.filter(({ result }) => states.includes(result?.status)).map(({ result: _result, ...row }) => row)
  const refused = told.flatMap(({ result, ...row }) => (result?.status === 'refused' ? [{ ...row, result }] : []))
  return { held: by('applied', 'same'), unknown: by(undefined), later: by('retry'), refused }
}

/** What a read-back has shown of rows, `held` being hash by key: what is as it is to be, and what is not. */
export function sortRead(rows: readonly OutRow[], held: ReadonlyMap<string, string>): { right: OutRow[]; wrong: OutRow[] } {
  const is_right = (row: OutRow) => (row.want_op === 'put' ? held.get(row.row_key) === row.want_hash : !held.has(row.row_key))
  return { right: rows.filter(is_right), wrong: rows.filter(row => !is_right(row)) }
}
