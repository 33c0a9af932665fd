import { permissionName } from '@campus/identity/contract'
import { describe, expect, test } from 'vitest'
import { changedCodes, namedCodes, withViews } from './permission-matrix.ts'

const known = new Set(['a.x.view', 'a.x.edit', 'a.x.export', 'a.y.view', 'a.y.edit', 'b.z.run'])
const change = (current: string[], grant: string[], revoke: string[]) => changedCodes(new Set(current), { grant, revoke }, known)

describe('a change of permissions', () => {
  test.each<[name: string, current: string[], asked: { grant?: string[]; revoke?: string[] }, granted: string[], revoked: string[]]>([
    ['granting a verb grants the view', [], { grant: ['a.x.edit'] }, ['a.x.edit', 'a.x.view'], []],
    ['a noun without a view stands alone', [], { grant: ['b.z.run'] }, ['b.z.run'], []],
    ['revoking the view revokes the rest of the noun', ['a.x.view', 'a.x.edit', 'a.x.export', 'a.y.view'], { revoke: ['a.x.view'] }, [], ['a.x.edit', 'a.x.export', 'a.x.view']],
    ['revoking a verb leaves the view', ['a.x.view', 'a.x.edit'], { revoke: ['a.x.edit'] }, [], ['a.x.edit']],
    ['what is there is not granted again', ['a.x.view', 'a.x.edit'], { grant: ['a.x.edit'] }, [], []],
    ['what is not there is not revoked', ['a.x.view'], { revoke: ['a.y.edit'] }, [], []],
    ['a code the product no longer knows drops out silently', ['old.one.view', 'a.x.view'], { grant: ['a.y.view'] }, ['a.y.view'], []],
  ])('%s', (_name, current, { grant = [], revoke = [] }, granted, revoked) => {
    const result = change(current, grant, revoke)
    expect([result?.granted, result?.revoked]).toEqual([granted, revoked])
    expect([...(result?.next ?? [])].toSorted()).toEqual([...new Set([...current, ...granted])].filter(code => known.has(code) && !revoked.includes(code)).toSorted())
  })
  test.each([
    ['the same code', ['a.x.edit'], ['a.x.edit']],
    ['a verb granted and its view revoked', ['a.x.edit'], ['a.x.view']],
  ])('contradicts itself: %s', (_name, grant, revoke) => {
    expect(change([], grant, revoke)).toBeNull()
  })
  test('views are added once', () => {
    expect(withViews(['a.x.edit', 'a.x.view', 'a.x.export'], known).toSorted()).toEqual(['a.x.edit', 'a.x.export', 'a.x.view'])
  })
})

describe('permissions in words', () => {
  test('a code is named by module, noun and verb', () => {
    expect(permissionName('people.student.export')).toMatchObject({ module_name: '人员档案', noun_name: '学生档案', verb_name: '导出', column: 'export' })
    expect(permissionName('nobody.named.this')).toBeNull()
  })
  test('stand by noun, in the columns of the matrix; one without words is shown as it is', () => {
    const shown = namedCodes(['people.student.export', 'x.y.z', 'people.student.view', 'identity.role.edit', 'people.dept.edit'])
    expect(shown.map(named => named.code)).toEqual(['identity.role.edit', 'people.dept.edit', 'people.student.view', 'people.student.export', 'x.y.z'])
    expect(shown.at(-1)).toMatchObject({ noun_name: 'x.y', verb_name: 'z', column: 'other' })
  })
})
