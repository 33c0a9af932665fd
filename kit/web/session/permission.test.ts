import { api, Done, get } from '@kit/contract'
import { describe, expect, test } from 'vitest'
import { holds } from './permission.tsx'

const held = new Set(['people.student.view', 'school.info.edit'])
const testApi = api('web', 'test.thing', {
  list: get('list', { reply: Done, need: 'people.student.view' }),
  edit: get('edit', { reply: Done, need: 'people.student.import' }),
  mine: get('mine', { reply: Done, session: true }),
})

describe('a marked element', () => {
  test.each([
    ['school.info.edit', true],
    ['people.student.import', false],
    [['people.student.import', 'school.info.edit'], true],
    [['people.student.import', 'people.student.delete'], false],
    [testApi.list, true],
    [testApi.edit, false],
    [testApi.mine, true],
  ])('%j is drawn: %s', (marker, drawn) => {
    expect(holds(held, marker)).toBe(drawn)
  })

  test.each([undefined, '', [], ['people.student.view', '']])('10-A13 without a code (%j) is a mistake of the developer', (marker) => {
    expect(() => holds(held, marker)).toThrow('必须指定权限标识，例如 code="school.info.edit"')
  })
})
