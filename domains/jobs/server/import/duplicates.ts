import type { Issue, SingleKey } from '@kit/server/excel'

/** What a row of the file claims for itself alone. */
export type RowKeys = { row_no: number; keys: readonly SingleKey[] }

type DuplicateOptions = { others?: readonly { row_no: number; keys: readonly string[] }[]; named?: (row_no: number) => string }

/**
 * Issues of rows that share a key with another row: the first of them names the second, all others name the first.
 * `others` are rows of the same file that hold keys too but are not asked about (hashes of the same kind as `hash` gives);
 * `named` names a row where a number alone would not do.
 */
export function findDuplicates(rows: readonly RowKeys[], hash: (key: string) => string, { others = [], named }: DuplicateOptions = {}): Map<number, Issue[]> {
  const holders = new Map<string, number[]>()
  const hold = (key: string, row_no: number) => {
    const holding = holders.get(key)
    if (!holding) holders.set(key, [row_no])
    else if (!holding.includes(row_no) && holding.length < 2) holding.push(row_no)
  }
  const all = [...rows.map(row => ({ row_no: row.row_no, keys: row.keys.map(({ key }) => hash(key)) })), ...others]
  for (const row of all.toSorted((a, b) => a.row_no - b.row_no)) for (const key of row.keys) hold(key, row.row_no)

  return new Map(rows.map(row => [row.row_no, row.keys.flatMap(key => duplicateIssue(row.row_no, key, holders.get(hash(key.key)) ?? [], named))]))
}

function duplicateIssue(row_no: number, { prop, msg }: SingleKey, [first, second]: readonly number[], named?: (row_no: number) => string): Issue[] {
  const other = first === row_no ? second : first
  if (other === undefined) return []
  const text = msg?.(other) ?? `文件内重复（第${other}行）`
  return [{ prop, msg: named ? text.replace(`第${other}行`, named(other)) : text }]
}
