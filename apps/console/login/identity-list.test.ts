import { expect, test } from 'vitest'
import { logoAddress, matchingIdentities } from './identity-list.ts'
import type { RoleEntry } from './wire.ts'

function entry(id: string, name: string, school_name: string, user_dep_name: string | null): RoleEntry {
  return {
    id, name, school_name, user_dep_name, code: 'SYS001_Admin', user_id: '10', user_no: 'T001', user_dep: '1', school_id: 1, school_type: 1,
    school_logo: null, course_type: 1, sync_type: 0, dept_is_exact: 0, allow_login_web: 0, allow_login_web_text: null,
    ac_role_group: { code: 'SYS001', name: '管理' },
  }
}

const list = [entry('1', '班主任', '启明实验学校', '七年级3班'), entry('2', '任课教师', '南校区', null), entry('3', 'IT管理员', '南校区', '信息中心')]

test.each([
  ['', ['1', '2', '3']], ['  ', ['1', '2', '3']], ['南校区', ['2', '3']], ['3班', ['1']], [' it', ['3']], ['校长', []],
])('searching for %j finds %j', (text, ids) => {
  expect(matchingIdentities(list, text).map(found => found.id)).toEqual(ids)
})

test('a logo is a public file unless it is an address', () => {
  const logos = [null, '', '1/2/a.png', 'https://x/a.png', '/a.png'].map(logoAddress)
  expect(logos).toEqual([null, null, '/material/f/1/2/a.png', 'https://x/a.png', '/a.png'])
})
