/** A department on a day: where it stands, by ids from the school down to itself (`/1/5/9/`). */
type Standing = { id: string; node_path: string }

/**
 * The value that holds for each department: its own, else that of the nearest department above that says something (校区 is said of a
 * division, and holds for its classes). Departments for which nothing is said are absent.
 */
export function effectiveValues(depts: readonly Standing[], said: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(depts.flatMap(({ id, node_path }) => {
    const nearest = node_path.split('/').findLast(step => said.has(step))
    const value = nearest === undefined ? undefined : said.get(nearest)
    return value === undefined ? [] : [[id, value] as const]
  }))
}
