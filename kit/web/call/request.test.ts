import { api, Done, get, post } from '@kit/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sendingOf } from './request.ts'

const roomApi = api('iot', 'test.room', {
  one: get('room/:id/bed/:bed_no', { params: z.object({ id: z.string(), bed_no: z.string() }), query: z.object({ on: z.string().optional() }), reply: Done, session: true }),
  list: get('room/list', { query: z.object({ ids: z.array(z.string()).optional(), page_index: z.number().optional(), keyword: z.string().nullable().optional() }), reply: Done, session: true }),
  save: post('room/:id', { params: z.object({ id: z.string() }), body: z.object({ name: z.string() }), reply: Done, session: true }),
})

test('path parameters leave the input and are escaped, the rest is the query', () => {
  expect(sendingOf(roomApi.one, { id: '7/8', bed_no: '1', on: '2026-03-04' })).toEqual({ method: 'GET', url: '/iot/api/room/7%2F8/bed/1?on=2026-03-04' })
})

test('absent values do not travel and lists are joined by commas', () => {
  expect(sendingOf(roomApi.list, { ids: ['1', '2'], page_index: 3, keyword: null })).toEqual({ method: 'GET', url: '/iot/api/room/list?ids=1%2C2&page_index=3' })
  expect(sendingOf(roomApi.list, {})).toEqual({ method: 'GET', url: '/iot/api/room/list' })
})

test('a write sends JSON without its path parameters', () => {
  expect(sendingOf(roomApi.save, { id: '7', name: '一号楼101' })).toEqual({ method: 'POST', url: '/iot/api/room/7', body: '{"name":"一号楼101"}' })
})

test('a write without input still sends an object', () => {
  expect(sendingOf(roomApi.save, undefined).body).toBe('{}')
})
