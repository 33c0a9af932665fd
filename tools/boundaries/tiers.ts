import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sameTierEdges } from './edges.ts'

/** A domain and its tier; `tier` is undefined when its package.json does not say one. */
export type Domain = { name: string; tier: number | undefined }

/** Domains of the tree, with `campus.tier` of each package.json. */
export function readDomains(root: string): Domain[] {
  const folder = join(root, 'domains')
  if (!existsSync(folder)) return []
  return readdirSync(folder).map(name => ({ name, tier: readTier(join(folder, name, 'package.json')) }))
}

function readTier(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const manifest: { campus?: { tier?: unknown } } = JSON.parse(readFileSync(file, 'utf8'))
  return typeof manifest.campus?.tier === 'number' ? manifest.campus.tier : undefined
}

/** Names of the domains that `domain` may import: every lower tier, and its own along the declared edges. */
export function allowedFor(domain: Domain, all: Domain[]): { lower: string[]; edges: string[]; same: string[] } {
  const others = all.filter(d => d.name !== domain.name && d.tier !== undefined)
  const same = others.filter(d => d.tier === domain.tier).map(d => d.name)
  const lower = others.filter(d => Number(d.tier) < Number(domain.tier)).map(d => d.name)
  const edges = same.filter(name => sameTierEdges[domain.name]?.includes(name))
  return { lower, edges, same }
}
