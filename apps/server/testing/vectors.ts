import { readFileSync } from 'node:fs'

export type VectorFile = 'validation' | 'id-card' | 'mobile' | 'email' | 'ipv4' | 'qq' | 'plate'

/** Rows of a shared vector file of the checks, by header name; no cell of these has a line break. */
export function vectorRows(file: VectorFile): Record<string, string>[] {
  const text = readFileSync(new URL(`../../../kit/contract/checks/vectors/${file}-vectors.csv`, import.meta.url), 'utf8')
  const [header = [], ...lines] = text.trimEnd().split('\n').map(line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1]?.replaceAll('""', '"') ?? cell[2] ?? ''))
  return lines.map(line => Object.fromEntries(header.map((name, at) => [name, line[at] ?? ''])))
}
