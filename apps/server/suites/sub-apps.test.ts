import { manifests } from '@apps/mini/manifest'
import { subApps } from '@campus/school/contract'
import { expect, test } from 'vitest'
import { domains } from '../domains.ts'

const calls = new Set(domains.flatMap(domain => domain.routes).map(route => route.call.call))

test('22 sub-applications, each once; those that say they are built have a manifest, and no other has one', () => {
  expect([subApps.length, new Set(subApps.map(app => app.code)).size, new Set(subApps.map(app => app.id)).size]).toEqual([22, 22, 22])
  expect(manifests.map(({ code }) => code)).toEqual(subApps.flatMap(app => ('built' in app ? [app.code] : [])))
})

test('every call of a manifest is one of the server', () => {
  const asked = manifests.flatMap(manifest => Object.values(manifest.calls))
  expect(asked.map(call => call.call).filter(name => !calls.has(name))).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
})
