import { expect, test } from 'vitest'
import { domains } from './domains.ts'
import { routeTable } from './route-table.ts'

test('every route of every composed domain has a page, and every page has its route', () => {
  const facts = domains.flatMap((domain) => domain.facts.map((fact) => fact.path))
  expect([...routeTable.keys()].toSorted()).toEqual(facts.toSorted())
})
