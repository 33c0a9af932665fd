import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Administrative divisions: code → name with everything above it, and the other way round. */
export type Divisions = { names: ReadonlyMap<string, string>; codes: ReadonlyMap<string, string> }

/** Names that stand between a city and its districts without being part of a place's name. */
const fillers: ReadonlySet<string> = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划'])

let loaded: Divisions | undefined

/** The table the product ships, read once. */
export function divisions(): Divisions {
  loaded ??= parseDivisions(readFileSync(join(import.meta.dirname, '../data/divisions.csv'), 'utf8'))
  return loaded
}

/** Reads lines `code,name,parent,level`, parents before children. */
function parseDivisions(csv: string): Divisions {
  const names = new Map<string, string>()
  for (const line of csv.trim().split(/\r?\n/).slice(1)) {
    const [code = '', name = '', parent = ''] = line.split(',')
    names.set(code, `${names.get(parent) ?? ''}${fillers.has(name) ? '' : name}`)
  }
  // A filler has the name of what it fills; the upper one, which comes first, keeps it.
  const codes = new Map([...names].toReversed().map(([code, name]) => [name, code]))
  return { names, codes }
}
