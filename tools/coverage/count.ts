import { familyPrefix } from '@kit/contract'
import type { Call } from '@kit/contract'
import type { DomainServer } from '@kit/server/http'
import acceptance from './acceptance.json' with { type: 'json' }
import calls from './calls.json' with { type: 'json' }
import routes from './routes.json' with { type: 'json' }
import strings from './strings.json' with { type: 'json' }

/** One thing the product description or a chapter asks for; `by` names what proves it, empty when nothing does. */
export type Item = { id: string; section: string; name: string; by: string }
export type Seen = { on: 'answer' | 'page'; text: string }
export type Built = Pick<DomainServer, 'name' | 'facts' | 'routes'>

/** The console routes of the description; one is built when a domain declares its facts and the console has a page for it. */
export function countRoutes(domains: readonly Built[], pages: ReadonlySet<string>): Item[] {
  const owners = new Map(domains.flatMap(({ name, facts = [] }) => facts.map(fact => [fact.path, name] as const)))
  return routes.map(({ id, section, path }) => ({ id, section, name: path, by: pages.has(path) ? (owners.get(path) ?? '') : '' }))
}

/**
 * The calls of the description; one is there when the registry has its path under any of its names and, if the description says
 * one, its method. `named`: the description spells it; `described`: the description says it in words, the specification chose the path.
 */
export function countCalls(domains: readonly Built[], kind: 'named' | 'described'): Item[] {
  const registered = domains.flatMap(domain => domain.routes.map(route => route.call))
  return calls
    .filter(wanted => wanted.kind === kind)
    .map(({ id, section, path, method }) => {
      const found = registered.find(call => (method === undefined || call.method === method) && namesOf(call).some(name => isSamePath(path, name)))
      return { id, section, name: [method, path].filter(Boolean).join(' '), by: found?.call ?? '' }
    })
}

function namesOf(call: Call): string[] {
  return call.paths.map(path => path.slice(familyPrefix[call.family].length + 1))
}

/** `{a}` and `:id` stand for any parameter, `*` for any last segment. */
function isSamePath(wanted: string, registered: string): boolean {
  const parts = wanted.replaceAll(/\{\w+\}/g, ':').split('/')
  const others = registered.replaceAll(/:\w+/g, ':').split('/')
  return parts.length === others.length && parts.every((part, at) => part === '*' || part === others[at])
}

/** The quoted sentences; one is seen when an answer said it or a page showed it, whole and alone on its line. */
export function countStrings(seen: readonly Seen[]): Item[] {
  const textOf = (on: Seen['on']) => seen.flatMap(one => (one.on === on ? [one.text] : [])).join('\n')
  const all = { answer: textOf('answer'), page: textOf('page') }
  return strings.map(({ id, section, text }) => {
    const pattern = sentencePattern(text)
    return { id, section, name: text, by: (['answer', 'page'] as const).filter(on => pattern.test(all[on])).join(', ') }
  })
}

/** `{N}` stands for any number. Inside other words a sentence does not count: a page may only speak of it. */
function sentencePattern(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll('{N}', String.raw`\d+`)
  return new RegExp(`^${escaped}$`, 'mu')
}

/** The acceptance numbers of the chapters and the files that have a test named after each; `M` is the list of its own that messages have in chapter 10. */
export function countAcceptance(named: ReadonlyMap<string, readonly string[]>): Item[] {
  return acceptance.flatMap(({ chapter, letter = 'A', title, numbers }) =>
    Array.from({ length: numbers }, (_, at) => {
      const id = `${chapter}-${letter}${at + 1}`
      return { id, section: `${chapter} ${title}`, name: id, by: (named.get(id) ?? []).join(', ') }
    }),
  )
}
