import type { Finding } from '../finding.ts'
import { checkDocs } from './doc-rules.ts'
import { checkNames, checkReadmes } from './name-rules.ts'
import { readSources } from './source.ts'
import { checkPersonFollowers } from './person-rules.ts'
import { checkSyntax } from './syntax-rules.ts'
import { checkAsserts, checkText } from './text-rules.ts'
import { checkWords } from './word-rules.ts'

/** Every broken house rule under `root`. Throws when it saw no TypeScript: such a run proves nothing. */
export function surveyHouse(root: string): { files: number; findings: Finding[] } {
  const sources = readSources(root)
  if (!sources.some(source => source.tree)) throw new Error('The house check saw no TypeScript file: it proves nothing.')
  const perFile = sources.flatMap(s => [...checkNames(s), ...checkText(s), ...checkAsserts(s), ...checkSyntax(s), ...checkWords(s)])
  return { files: sources.length, findings: [...perFile, ...checkReadmes(sources), ...checkDocs(sources), ...checkPersonFollowers(sources)] }
}
