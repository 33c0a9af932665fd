import { needOf } from '@kit/contract'
import { describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'

const calls = domains.flatMap(domain => domain.routes.map(route => route.call))
const facts = domains.flatMap(domain => domain.facts ?? [])
/** What some call that reads asks for: the only thing that may decide about a page. */
const readable = new Set(calls.flatMap(call => (call.method === 'GET' || call.details.reads ? (needOf(call) ?? []) : [])))

describe('the facts of the console’s routes', () => {
  test('are read at all', () => {
    expect(facts.length).toBeGreaterThanOrEqual(4)
    expect(readable.size).toBeGreaterThan(3)
  })
  test('ask for permissions that calls of reading ask for', () => {
    const asked = facts.flatMap(fact => [fact.need ?? [], fact.worth_with ?? []].flat().map(code => `${fact.path} ${code}`))
    expect(asked.filter(line => !readable.has(line.split(' ')[1] ?? ''))).toEqual([])
  })
  test('stand once, and every highlighted parent exists', () => {
    const paths = facts.map(fact => fact.path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(new Set(facts.map(fact => fact.id)).size).toBe(facts.length)
    expect(facts.flatMap(fact => fact.active_menu ?? []).filter(path => !paths.includes(path))).toEqual([])
  })
})
