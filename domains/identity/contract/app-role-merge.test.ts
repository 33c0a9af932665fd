import { sub_app_codes } from '@campus/school/contract'
import { expect, test } from 'vitest'
import { mergeAppRoles } from './app-role-merge.ts'
import type { AppRoleShare } from './app-role-merge.ts'
import { modulesFor } from './app-role-module.ts'

/** `leave@3` is shown at place 3, `-leave@3` is hidden there. */
const role = (text: string, ...codes: string[]): AppRoleShare => ({
  codes,
  modules: text.split(' ').filter(Boolean).map(word => {
    const [code = '', place = ''] = word.split('@')
    return { module_code: code.replace('-', ''), visible: !code.startsWith('-'), order: Number(place) }
  }),
})

test.each<[string, AppRoleShare[], string]>([
  ['nobody’s roles show nothing', [], ''],
  ['one role shows its modules in its order', [role('repair@2 leave@1 hall@3')], 'leave repair hall'],
  ['two roles show what either shows', [role('leave@1'), role('hall@2')], 'leave hall'],
  ['the smallest place wins, whichever role comes first', [role('leave@5 hall@2'), role('leave@1')], 'leave hall'],
  ['and the same the other way round', [role('leave@1'), role('hall@2 leave@5')], 'leave hall'],
  ['equal places follow the product', [role('park@1 hall@1'), role('leave@1')], 'leave hall park'],
  ['what one hides another may show, at the place the other gives it', [role('-leave@1 hall@2'), role('leave@3')], 'hall leave'],
  ['what all hide stays hidden', [role('-leave@1'), role('-leave@2 hall@1')], 'hall'],
  ['what the product no longer knows drops out', [role('gone@1 hall@2')], 'hall'],
  ['places may be negative or far apart', [role('leave@900 hall@-1')], 'hall leave'],
])('%s', (_name, roles, shown) => {
  expect(mergeAppRoles(roles).modules.join(' ')).toBe(shown)
})

test('permissions are those of all roles, each once', () => {
  expect(mergeAppRoles([role('', 'b.c.self', 'a.b.self'), role('leave@1', 'a.b.self')]).codes).toEqual(['a.b.self', 'b.c.self'])
})

test('the modules are 22, and each is for somebody; an enterprise has none of the pupils', () => {
  expect(new Set(sub_app_codes).size).toBe(22)
  const all = new Set([...modulesFor('teacher', 1), ...modulesFor('parent', 1), ...modulesFor('student', 1)])
  expect([...all].toSorted()).toEqual([...sub_app_codes].toSorted())
  expect(modulesFor('teacher', 2)).not.toContain('cloudStudentAttend')
  expect(modulesFor('parent', 1)).not.toContain('analyse')
})
