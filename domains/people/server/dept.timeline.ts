/** Name, parent and place of a department over a span of days; `valid_to` is exclusive, null = open. */
export type Version = Span & {
  dept_id: string
  parent_id: string | null
  dept_name: string
  grade: string | null
  show_order: number
  node_path: string
  pt_node_path_name: string
  command_id: string | null
}
type Span = { valid_from: string; valid_to: string | null }
/** Where a department stands over a span of days. */
type Place = Span & Pick<Version, 'node_path' | 'pt_node_path_name'>

/** What is dated about a department beside its place. */
export type OwnFacts = Pick<Version, 'parent_id' | 'dept_name' | 'grade' | 'show_order'>

/** Does the span hold on the day? */
export function holds({ valid_from, valid_to }: Span, day: string): boolean {
  return valid_from <= day && (valid_to === null || valid_to > day)
}

/** Does the span reach beyond the day, or begin there? */
export function lasts({ valid_to }: Span, day: string): boolean {
  return valid_to === null || valid_to > day
}

/** The first day after `on` from which the department is told to have another name, parent or grade of its own; undefined = never. */
export function nextOwnChange(versions: readonly Version[], on: string): string | undefined {
  const now = versions.find(version => holds(version, on))
  return versions.find(later => {
    if (later.valid_from <= on) return false
    return later.dept_name !== now?.dept_name || later.parent_id !== now.parent_id || later.grade !== now.grade
  })?.valid_from
}

/** The versions of a new department below its parent: another one whenever the parent's place changes. */
export function openVersions(dept_id: string, facts: OwnFacts, parent: readonly Version[], on: string): Version[] {
  const row = { ...facts, dept_id, valid_from: on, valid_to: null, node_path: '', pt_node_path_name: '', command_id: null }
  return placed(row, parent, { ids: [dept_id], names: [facts.dept_name] })
}

/**
 * What a department and everything below it is from the day `on`, once the department has these facts (chapter 20 rule 1).
 * @param rows versions of the department and of what lies below it that last beyond `on`, each department's oldest first
 * @param parent the new parent's versions; empty for the root
 */
export function rewriteFrom(dept_id: string, facts: OwnFacts, rows: readonly Version[], parent: readonly Version[], on: string): Version[] {
  const cut = rows.map(row => (row.valid_from < on ? { ...row, valid_from: on, command_id: null } : row))
  const [first, ...rest] = cut.filter(row => row.dept_id === dept_id)
  if (!first) return []
  const last = rest.at(-1) ?? first
  const whole = { ...first, ...facts, valid_to: last.valid_to, command_id: null }
  const own = placed(whole, parent, { ids: [dept_id], names: [facts.dept_name] })
  const below = cut.filter(row => row.dept_id !== dept_id).flatMap(row => placed(row, own, tailOf(row, dept_id)))
  return [...own, ...below]
}

/** What of a path comes after the department: ids, and as many names. */
function tailOf(row: Version, dept_id: string): { ids: string[]; names: string[] } {
  const ids = idsOf(row)
  const tail = ids.slice(ids.indexOf(dept_id) + 1)
  return { ids: tail, names: row.pt_node_path_name.split('/').slice(-tail.length) }
}

/** The row cut wherever the department above it changes its place. */
function placed(row: Version, above: readonly Place[], tail: { ids: readonly string[]; names: readonly string[] }): Version[] {
  const places = above.length > 0 ? merged(above) : [{ ...row, node_path: '/', pt_node_path_name: '' }]
  return places.filter(place => lasts(place, row.valid_from) && (row.valid_to === null || place.valid_from < row.valid_to)).map(place => {
    const names = [...(place.pt_node_path_name === '' ? [] : [place.pt_node_path_name]), ...tail.names]
    const valid_from = place.valid_from > row.valid_from ? place.valid_from : row.valid_from
    return { ...row, valid_from, valid_to: earlier(place.valid_to, row.valid_to), node_path: `${place.node_path}${tail.ids.join('/')}/`, pt_node_path_name: names.join('/') }
  })
}

/** Places that follow each other without a difference as one. */
function merged(places: readonly Place[]): Place[] {
  const kept: Place[] = []
  for (const { valid_from, valid_to, node_path, pt_node_path_name } of places) {
    const last = kept.at(-1)
    const is_same = last?.valid_to === valid_from && last.node_path === node_path && last.pt_node_path_name === pt_node_path_name
    if (last && is_same) last.valid_to = valid_to
    else kept.push({ valid_from, valid_to, node_path, pt_node_path_name })
  }
  return kept
}

/** The department and everything above it, from the school down. */
export function idsOf({ node_path }: Pick<Version, 'node_path'>): string[] {
  return node_path.split('/').filter(id => id !== '')
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null) return b
  if (b === null) return a
  return a < b ? a : b
}
