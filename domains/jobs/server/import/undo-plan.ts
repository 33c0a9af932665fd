import type { Touch } from '@kit/server/excel'

/** An applied row and what it wrote to, the thing it is about first. */
export type TouchedRow = { row_no: number; touched: readonly Touch[] }

/** Which rows stay, with the key of the thing that has changed since, and what must stay with them. */
export type UndoPlan = { blocked: Map<number, string>; kept: Set<string> }

/**
 * Compares how a batch left each thing with how it is now. A row stays when anything it wrote to has changed since, or when another
 * row about the same thing stays: one cannot be taken back without the other. Everything a staying row wrote to stays.
 * @param rows in the order of their apply
 */
export function planUndo(rows: readonly TouchedRow[], current: ReadonlyMap<string, string>): UndoPlan {
  const left = new Map(rows.flatMap(({ touched }) => touched.map(({ key, mark }) => [key, mark] as const)))
  const changed = new Set([...left].filter(([key, mark]) => current.get(key) !== mark).map(([key]) => key))
  const blocked = new Map<number, string>()
  const stuck = new Map<string, string>()
  for (const { row_no, touched } of rows) {
    const hit = touched.find(({ key }) => changed.has(key))
    if (!hit) continue
    blocked.set(row_no, hit.key)
    const about = touched[0]?.key
    if (about !== undefined) stuck.set(about, hit.key)
  }
  for (const { row_no, touched } of rows) {
    const hit = stuck.get(touched[0]?.key ?? '')
    if (hit !== undefined && !blocked.has(row_no)) blocked.set(row_no, hit)
  }
  const kept = new Set(rows.filter(({ row_no }) => blocked.has(row_no)).flatMap(({ touched }) => touched.map(({ key }) => key)))
  return { blocked, kept }
}

/** The touched things of a row as they are stored. */
export function readTouches(stored: readonly string[]): Touch[] {
  return stored.map(text => {
    const at = text.indexOf('=')
    return { key: text.slice(0, at), mark: text.slice(at + 1) }
  })
}
