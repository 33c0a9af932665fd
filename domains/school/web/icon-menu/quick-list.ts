/** The list with the line at `from` moved to `to`; unchanged when either place is not in it. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const line = list.at(from)
  if (line === undefined || from < 0 || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, line)
}

type Page = { path: string }

/** Takes the page into the quick row, at its end, or out of it; a full row takes none. */
export function toggled<T extends Page>(row: readonly T[], page: T, most: number): T[] {
  if (row.some(held => held.path === page.path)) return row.filter(held => held.path !== page.path)
  return row.length < most ? [...row, page] : [...row]
}
