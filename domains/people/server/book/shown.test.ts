import { expect, test } from 'vitest'
import { shownGroups } from './shown.ts'

const nothing = { id: '1', user_id: null, dept_id: null, title: null, tel: null, visible: true, user_name: null, teacher_no: null, primary_dept_id: null, dept_name: null, node_path: null }
const dept = (dept_name: string, node_path: string, visible = true) => ({ ...nothing, dept_id: '9', dept_name, node_path, visible })
const person = (user_id: string, visible = true) => ({ ...nothing, user_id, visible })
const phone = (title: string, tel: string) => ({ ...nothing, title, tel })
const at = (user_id: string, user_name: string, node_path: string) => ({ user_id, user_name, mobile: '16900000001', position: '教师', node_path })
const staff = [at('1', '白老师', '/1/2/'), at('2', '陈老师', '/1/2/5/'), at('2', '陈老师', '/1/3/'), at('3', '丁老师', '/1/3/')]
const names = (entries: Parameters<typeof shownGroups>[1]) => shownGroups({ show_mobile: 'mask' }, entries, staff).map(({ title, people }) => [title, people.map(one => one.name).join(' ')])

test('a department shows everybody below it, nobody twice, in the order of the lines', () => {
  expect(names([dept('教务处', '/1/2/'), dept('总务处', '/1/3/')])).toEqual([['教务处', '白老师 陈老师'], ['总务处', '丁老师']])
  expect(names([person('3'), dept('总务处', '/1/3/'), person('1')])).toEqual([['联系人', '丁老师'], ['总务处', '陈老师'], ['联系人', '白老师']])
})

test('whoever or whatever is not visible stands nowhere, and a person who has left neither', () => {
  expect(names([dept('教务处', '/1/2/'), person('1', false)])).toEqual([['教务处', '陈老师']])
  expect(names([dept('全校', '/1/'), dept('总务处', '/1/3/', false)])).toEqual([['全校', '白老师 陈老师']])
  expect(names([person('77')])).toEqual([])
})

test('numbers leave as the book says, never whole; numbers of nobody stand as they are', () => {
  const phones = (show_mobile: 'none' | 'mask' | 'full') => shownGroups({ show_mobile }, [person('1'), phone('门卫室', '0571-88001234')], staff).flatMap(({ people }) => people.map(one => one.phone))
  expect([phones('none'), phones('mask'), phones('full')]).toEqual([[null, '0571-88001234'], ['169****0001', '0571-88001234'], ['169****0001', '0571-88001234']])
})

test('of a long department the first thirty are shown, with how many there are besides', () => {
  const many = Array.from({ length: 42 }, (_, n) => at(`${100 + n}`, `老师${n}`, '/1/2/'))
  expect(shownGroups({ show_mobile: 'none' }, [dept('教务处', '/1/2/')], many).map(({ people, more }) => [people.length, more])).toEqual([[30, 12]])
})
