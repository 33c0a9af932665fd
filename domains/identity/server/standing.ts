import { platform_codes } from '@campus/identity/contract'
import type { Me, Scope } from '@kit/server/http'
import type { Identity } from './session.queries.ts'

const active_school = 2

/** Whether a person may act in this school at all. The guard and the explanation of its verdicts both ask here. */
export function accountStands({ enabled, left_at }: { enabled: boolean; left_at: Date | null }): boolean {
  return enabled && left_at === null
}

/** Whether a school is at work. */
export function schoolStands({ state }: { state: number }): boolean {
  return state === active_school
}

/** What an identity may do; what is the platform's no role has, whatever its rows say. */
export function codesIn(identity: Pick<Identity, 'codes'>): ReadonlySet<string> {
  return new Set(identity.codes.map(row => row.code).filter(code => !platform_codes.has(code)))
}

type Facts = readonly { dimension: string; kind: string; id: string }[]
type Reach = Pick<Identity, 'scopes' | 'scope_ids' | 'acted_facts'>

/** Over which rows an identity works today. Who stands in for another person has that person's classes and places, not his own. */
export function scopesIn(own: Facts, identity: Reach, is_super: boolean): Me['scopes'] {
  const facts = identity.acted_facts ?? own
  return { dept: scopeOf('dept', facts, identity, is_super), place: scopeOf('place', facts, identity, is_super) }
}

/** Without a row a role sees nothing. A membership that names departments of its own works over these alone. */
function scopeOf(dimension: 'dept' | 'place', all: Facts, identity: Reach, is_super: boolean): Scope {
  const facts = all.filter(fact => fact.dimension === dimension).flatMap(fact => factOf(fact) ?? [])
  if (is_super) return { kind: 'all', ids: [], facts }
  if (dimension === 'dept' && identity.scope_ids && identity.scope_ids.length > 0) return { kind: 'custom', ids: identity.scope_ids, facts }
  const row = identity.scopes.find(scope => scope.dimension === dimension)
  return { kind: scope_kinds.find(kind => kind === row?.kind) ?? 'none', ids: row?.ids ?? [], facts }
}

const scope_kinds = ['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none'] as const
const fact_kinds = ['class_teacher', 'teaching', 'delegated', 'manager'] as const

function factOf(fact: { kind: string; id: string }): Scope['facts'][number] | undefined {
  const kind = fact_kinds.find(known => known === fact.kind)
  return kind && { kind, id: fact.id }
}
