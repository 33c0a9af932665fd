import { permissionName } from '@campus/identity/contract'
import { needOf } from '@kit/contract'
import { expect, test } from 'vitest'
import { domains } from '../domains.ts'

const needs = domains.flatMap(domain => domain.routes.flatMap(route => needOf(route.call) ?? []))
const codes = new Set([...needs, ...domains.flatMap(domain => domain.codes ?? [])])

test('every permission code of the product has Chinese words in domains/identity/contract/permission.ts', () => {
  expect(codes.size).toBeGreaterThan(10)
  expect([...codes].filter(code => permissionName(code) === null)).toEqual([])
})
