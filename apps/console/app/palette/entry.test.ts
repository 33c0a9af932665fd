import { describe, expect, test } from 'vitest'
import { localGroups } from './entry.ts'
import type { Entry } from './entry.ts'
import { filterEntries } from './saved-filters.ts'

const page = (title: string): Entry => ({ key: `/${title}`, title, about: '组', target: { address: `/${title}` } })
const pages = ['首页概览', '学生组织架构', '学生家长档案', '角色组设置', '系统操作日志', '档案操作日志'].map(page)
const settings: Entry[] = [
  { key: 'password', title: '修改密码', about: '个人', target: { dialog: 'password' } },
  { key: 'config', title: '系统配置', about: '学校信息', target: { address: '/SchoolRecord?tab=config' } },
]
const shown = (text: string, recent: string[] = []) => localGroups(pages, settings, recent, text).map(({ title, entries }) => [title, ...entries.map(entry => entry.title)])

describe('before anything is typed', () => {
  test('the pages opened last stand first, once, without those that may no longer be opened', () => {
    const [recent, own, others] = shown('', ['/角色组设置', '/没有了', '/学生家长档案'])
    expect(recent).toEqual(['最近使用', '角色组设置', '学生家长档案'])
    expect(own).toEqual(['设置', '修改密码', '系统配置'])
    expect(others).toEqual(['页面', '首页概览', '学生组织架构', '系统操作日志', '档案操作日志'])
  })
  test('nobody who has opened nothing sees an empty heading', () => {
    expect(shown('').map(([title]) => title)).toEqual(['设置', '页面'])
  })
})

test.each([
  ['xs', [], [['页面', '学生组织架构', '学生家长档案']]],
  ['xs', ['/学生家长档案'], [['页面', '学生家长档案', '学生组织架构']]],
  ['档案', ['/学生家长档案'], [['页面', '档案操作日志', '学生家长档案']]],
  ['xt', [], [['页面', '系统操作日志'], ['设置', '系统配置']]],
  ['mm', [], [['设置', '修改密码']]],
  ['王', [], []],
])('“%s” after %j finds %j', (text, recent, groups) => {
  expect(shown(text, recent)).toEqual(groups)
})

test('a text that fits many pages shows the best eight', () => {
  const many = Array.from({ length: 20 }, (_, at) => page(`学生${at}`))
  expect(localGroups(many, [], [], '学生')[0]?.entries).toHaveLength(8)
})

test('a setting that is one of many is found by its name alone; saved filters stand with the page they open', () => {
  const field: Entry = { key: 'config-gps_type', title: '地图坐标系', about: '学校信息 · 系统配置', target: { address: '/SchoolRecord?tab=config&field=gps_type' }, only_typed: true }
  const filters = filterEntries(pages, [{ pref_key: 'filters:/学生家长档案/student', value: [{ name: '住校女生', values: { sex: '2' }, is_default: false }] }, { pref_key: 'filters:/Gone', value: [] }])
  expect(filters).toMatchObject([{ title: '住校女生', about: '学生家长档案 · 常用筛选', target: { address: '/学生家长档案?sex=2' } }])
  expect(localGroups(pages, [field], [], '', filters).map(({ title }) => title)).toEqual(['常用筛选', '页面'])
  expect(localGroups(pages, [field], [], '地图', filters)).toEqual([{ title: '设置', entries: [field] }])
  expect(localGroups(pages, [field], [], 'zx', filters)).toEqual([{ title: '常用筛选', entries: filters }])
})
