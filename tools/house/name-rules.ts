import type { Finding } from '../finding.ts'
import type { Source } from './source.ts'

const empty_words = /(^|-)(utils?|helpers?)(-|$)|^(commons?|misc)$/
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
const migration = /^\d{8}_\d{2}_[a-z0-9_-]+\.sql$/
const shouting = /^(README|CONTRIBUTING|CHANGELOG|LICENSE)\.md$/
/** Words of the field that end in a 2. */
const words_with_two = new Set(['sm2', 'v2', 'argon2', 'oauth2', 'http2', 'woff2'])
const readme_lines = 60

/** Names of files and folders: kebab-case, no empty words, no numbered copies. */
export function checkNames({ file }: Source): Finding[] {
  const at = (rule: string, message: string): Finding => ({ file, line: 1, rule, message })
  const segments = file.split('/').slice(1)
  const words = segments.flatMap(segment => segment.split('.'))
  const findings: Finding[] = []
  const base = segments.at(-1) ?? ''
  if (![kebab, migration, shouting].some(pattern => pattern.test(base))) findings.push(at('kebab-case', `${base} is not kebab-case`))
  for (const word of words) {
    if (empty_words.test(word)) findings.push(at('empty-name', `\`${word}\` says nothing: name the noun`))
    if (/[a-z]2$/.test(word) && !words_with_two.has(word.split('-').at(-1) ?? '')) findings.push(at('numbered-copy', `\`${word}\`: split by noun, not by number`))
  }
  return findings
}

/** Every domain has a README: nouns, invariants, states; at most 60 lines. */
export function checkReadmes(sources: Source[]): Finding[] {
  const domains = new Set(sources.flatMap(s => /^domains\/[^/]+(?=\/)/.exec(s.file)?.[0] ?? []))
  return [...domains].flatMap(domain => {
    const file = `${domain}/README.md`
    const readme = sources.find(s => s.file === file)
    if (!readme) return [{ file, line: 1, rule: 'domain-readme', message: 'a domain says its nouns, invariants and states in a README' }]
    const length = readme.lines.length - 1
    return length > readme_lines ? [{ file, line: length, rule: 'domain-readme', message: `${length} lines, at most ${readme_lines}` }] : []
  })
}
