import { domains } from '../domains.ts'
import { module_names, moduleName, noun_names, nounName, routine_calls } from '@campus/audit/contract'
import { permissionName } from '@campus/identity/contract'
import { isLogged, needOf } from '@kit/contract'
import { expect, test } from 'vitest'

const calls = domains.flatMap(domain => domain.routes.map(route => route.call))
const nouns = new Set(calls.map(({ call }) => call.split('.').slice(0, 2).join('.')))
const modules = new Set([...nouns].map(noun => noun.split('.')[0] ?? ''))

test('every call has its module and its object in words: add what is missing to audit/contract/call-names.ts', () => {
  expect(calls.length).toBeGreaterThan(50)
  expect([...nouns].filter(noun => noun_names[noun] === undefined)).toEqual([])
  expect([...modules].filter(module => module_names[module] === undefined)).toEqual([])
})

test('no word stands for nothing', () => {
  expect(Object.keys(noun_names).filter(noun => !nouns.has(noun))).toEqual([])
  expect(Object.keys(module_names).filter(module => !modules.has(module))).toEqual([])
})

test('what pages do by themselves are calls that write lines and need no permission', () => {
  const own = calls.filter(({ method, details }) => !('need' in details) && (method !== 'GET' || details.op !== undefined)).map(({ call }) => call)
  expect(routine_calls.filter(call => !own.includes(call))).toEqual([])
})

test('where the permissions name the same module or object, they use the same words', () => {
  const named = calls.flatMap(call => permissionName(needOf(call) ?? '') ?? [])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(one => module_names[one.module] !== one.module_name)).toEqual([])
  expect(named.filter(one => (noun_names[one.noun] ?? one.noun_name) !== one.noun_name)).toEqual([])
})

test('words are Chinese, and what nobody named stays its code', () => {
  for (const name of [...Object.values(module_names), ...Object.values(noun_names)]) expect(name).toMatch(/^\p{Script=Han}+$/u)
  expect([moduleName('dorm'), nounName('dorm.room.create')]).toEqual(['dorm', 'dorm.room'])
})

/** Verbs of calls that make something: what a POST is logged as (新增) when it does not say of what kind its line is. */
const creations = /^(add|addPictures|batch|batchAdd|copy|create|enrol_code|save|upload|act|report|issue|autoIssue|range|start|give|declare|saveLabel)$/
/** Verbs and ends of addresses of calls that only ask. */
const readings = /^(page|list|preview|precheck|due|batches|details|form|item|look|reach|students|teachers|teacherList|number|name|identity|phone)$/

test('no reading is logged as a creation: a POST that only asks says so, and its line, if any, is a look or an export', () => {
  const posts = calls.filter(({ method }) => method !== 'GET').map(one => ({ ...one, verb: one.call.split('.').at(-1) ?? '' }))
  const asking = posts.filter(one => one.call !== 'identity.provider_login.form').filter(one => readings.test(one.verb) || one.paths.some(path => /\/(page|list|preview)$/.test(path)))
  expect(asking.filter(({ details }) => details.reads === undefined).map(({ call }) => call)).toEqual([])
  expect(posts.filter(({ details: { reads, op } }) => reads && op !== undefined && op !== 7 && op !== 13).map(({ call }) => call)).toEqual([])
  const silent = posts.filter(one => isLogged(one) && (one.details.op ?? (one.method === 'POST' ? 3 : undefined)) === 3)
  expect(silent.map(({ call, verb }) => `${call} ${verb}`).filter(name => !creations.test(name.split(' ')[1] ?? ''))).toEqual(['calendar.day.feed feed', 'devices.file.screenshot screenshot'])
})
