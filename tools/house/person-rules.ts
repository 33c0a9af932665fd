import type { Finding } from '../finding.ts'
import { isTest } from './source.ts'
import type { Source } from './source.ts'

const tables = /^domains\/([^/]+)\/server\/tables\.gen\.ts$/
const person_column = /^ {2}(?:\w+_)?user_id: /
/** Tier 0 is served by the functions of identity and people (docs/decisions/0020). */
const lowest_tier = 1
/** What must be filled by whoever keeps rows of people: what becomes of them when two people are one, and when one is deleted. */
const ports = [['rekeyPort', '`rekey`: what a merge moves'], ['erasePort', '`erase`: what a deletion forgets']] as const

/** A domain of tier 1–3 with tables that name people follows merges and deletions (people chapter §7). */
export function checkPersonFollowers(sources: Source[]): Finding[] {
  return sources.flatMap(({ file, lines }) => {
    const domain = tables.exec(file)?.[1]
    const line = lines.findIndex(text => person_column.test(text)) + 1
    if (domain === undefined || line === 0 || tierOf(sources, domain) < lowest_tier) return []
    const code = sources.filter(source => source.file.startsWith(`domains/${domain}/server/`) && source.tree && !isTest(source.file))
    const missing = ports.filter(([port]) => !code.some(({ text }) => text.includes(`${port}.fill(`))).map(([, what]) => what)
    return missing.length === 0 ? [] : [{ file, line, rule: 'person-follow', message: `tables of ${domain} name people, and it registers no ${missing.join(' and no ')}` }]
  })
}

function tierOf(sources: Source[], domain: string): number {
  const found = /"tier":\s*(\d+)/.exec(sources.find(({ file }) => file === `domains/${domain}/package.json`)?.text ?? '')
  return Number(found?.[1] ?? lowest_tier)
}
