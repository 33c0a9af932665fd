import type { Issue, SingleKey } from '@kit/server/excel'

/** What a row of the file claims for itself alone. */
export type RowKeys = { row_no: number; keys: readonly SingleKey[] }

/**
 * Issues of rows that share a key with another row: the first of them names the second, all others name the first.
 * `others` are rows of the same file that hold keys too but are not asked about (hashes of the same kind as `hash` gives).
 */
export function findDuplicates(rows: readonly RowKeys[], hash: (key: string) => string, others: readonly { row_no: number; keys: readonly string[] }[] = []): Map<number, Issue[]> {
  const holders = new Map<string, number[]>()
  const hold = (key: string, row_no: number) => {
    const holding = holders.get(key)
    if (!holding) holders.set(key, [row_no])
    else if (!holding.includes(row_no) && holding.length < 2) holding.push(row_no)
  }
  const all = [...rows.map(row => ({ row_no: row.row_no, keys: row.keys.map(({ key }) => hash(key)) })), ...others]
  for (const row of all.toSorted((a, b) => a.row_no - b.row_no)) for (const key of row.keys) hold(key, row.row_no)

  return new Map(rows.map(row => [row.row_no, row.keys.flatMap(key => duplicateIssue(row.row_no, key, holders.get(hash(key.key)) ?? []))]))
}

function duplicateIssue(row_no: number, { prop, msg }: SingleKey, [first, second]: readonly number[]): Issue[] {
  const other = first === row_no ? second : first
  return other === undefined ? [] : [{ prop, msg: msg?.(other) ?? `文件内重复（第${other}行）` }]
}
