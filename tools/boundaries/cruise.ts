import { registerHooks } from 'node:module'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ICruiseResult, IModule } from 'dependency-cruiser'
import { rulesOf } from './rules.ts'
import { readDomains } from './tiers.ts'
import type { Finding } from '../finding.ts'

const roots = ['kit', 'domains', 'apps', 'e2e', 'bench', 'tools']
const left_out = '(^|/)(node_modules|dist|fixtures)/'

/** What a run saw and what it refused. */
export type Survey = { modules: number; dependencies: number; findings: Finding[] }

/**
 * Cruises the tree in the current folder and returns every broken boundary. Throws when the run proves nothing: no module,
 * no dependency, a source file it did not see, or no TypeScript that dependency-cruiser understands.
 */
export async function surveyBoundaries(): Promise<Survey> {
  const { cruise, allExtensions } = await loadCruiser()
  if (!allExtensions.some(e => e.extension === '.ts' && e.available)) throw new Error('dependency-cruiser cannot read TypeScript: the run would prove nothing.')
  const domains = readDomains('.')
  const rules = rulesOf(domains)
  const present = roots.filter(folder => existsSync(folder))
  const { output } = await cruise(present, {
    ruleSet: { forbidden: rules },
    validate: true,
    tsPreCompilationDeps: true,
    exclude: { path: left_out.replace('node_modules|', '') },
    doNotFollow: { path: 'node_modules' },
    parser: 'tsc',
  }, resolution)
  if (typeof output === 'string') throw new Error(output)
  const reasons = new Map(rules.map(r => [r.name, r.comment]))
  const findings = [...untiered(domains), ...findingsOf(output, reasons)]
  return { ...countSeen(output.modules, present), findings }
}

const resolution = { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'], extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.json'], mainFields: ['module', 'main', 'types', 'typings'] }

/** dependency-cruiser looks up `typescript`, finds version 7, which has no JavaScript API, and then silently skips every .ts file: it gets 5.9. */
async function loadCruiser() {
  registerHooks({
    resolve: (specifier, context, next) => next(specifier.replace(/^typescript(?=$|\/)/, 'typescript5'), context),
  })
  return import('dependency-cruiser')
}

function untiered(domains: { name: string; tier: number | undefined }[]): Finding[] {
  return domains
    .filter(d => d.tier === undefined)
    .map(d => ({ file: `domains/${d.name}/package.json`, line: 1, rule: 'tier-missing', message: 'a domain says its tier: "campus": { "tier": N }' }))
}

function findingsOf(result: ICruiseResult, reasons: Map<string | undefined, string | undefined>): Finding[] {
  return result.summary.violations.map(v => {
    const imported = v.cycle?.[0]?.name ?? v.to
    const specifier = result.modules.find(m => m.source === v.from)?.dependencies.find(d => d.resolved === imported)?.module
    const route = v.cycle?.map(step => step.name) ?? [v.to]
    return { file: v.from, line: lineOf(v.from, specifier ?? v.to), rule: v.rule.name, message: `→ ${route.join(' → ')} (${reasons.get(v.rule.name) ?? ''})` }
  })
}

function lineOf(file: string, specifier: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.findIndex(line => line.includes(`'${specifier}'`)) + 1
}

function countSeen(modules: IModule[], folders: string[]): { modules: number; dependencies: number } {
  const own = modules.filter(m => !m.source.includes('node_modules/') && !m.coreModule)
  const dependencies = own.reduce((sum, m) => sum + m.dependencies.length, 0)
  if (own.length === 0 || dependencies === 0) throw new Error(`The boundary check saw ${own.length} modules and ${dependencies} imports: it proves nothing.`)
  const seen = new Set(own.map(m => m.source))
  const unseen = folders.flatMap(listSources).filter(file => !seen.has(file))
  if (unseen.length > 0) throw new Error(`The boundary check did not see ${unseen.join(', ')}.`)
  return { modules: own.length, dependencies }
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(file => /\.tsx?$/.test(file) && !new RegExp(left_out).test(file))
}
