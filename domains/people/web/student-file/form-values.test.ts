import type { PersonFile } from '@campus/people/contract'
import { registry_props, StudentDraft } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { draftOf, emptyValues, onFreshFile, patchOf, valuesOf } from './form-values.ts'

const nothing = Object.fromEntries(registry_props.map(prop => [prop, null]))

function file(more: Partial<PersonFile> = {}): PersonFile {
  const father = {
    user_id: '21', row_version: 3, user_name: '王志强', mobile: '169****0001', relation: '51', is_first: true, is_guardian: true, can_pickup: true,
    id_type: null, id_no: null, work: '港务局', edu: null, is_locked: false,
  }
  const registry: PersonFile['registry'] = { ...emptyRegistry(), user_name: '王子涵', id_type: '1', id_no: '370***********0019', native_place: '370200', remark: '旧' }
  return {
    user_id: '11', row_version: 5, dept_id: '7', dept_name: '一年级1班', member_since: '2026-09-01', state: '01', state_until: null, states: [], photo_url: null,
    registry, masked: ['id_no'], custom: [], division_names: { '370200': '山东省青岛市' }, parents: [father, { ...father, user_id: '22', user_name: '李秀芳', relation: '52', is_first: false }],
    created_at: '2026-09-01T00:00:00Z', updated_at: '2026-09-01T00:00:00Z', updated_by: null, ...more,
  }
}

function emptyRegistry(): PersonFile['registry']
function emptyRegistry(): Record<string, string | null> {
  return nothing
}

test('an untouched form says nothing, masks and division names included', () => {
  const before = valuesOf(file())
  expect(before.native_place).toBe('山东省青岛市')
  expect(patchOf(before, structuredClone(before))).toBeNull()
})

test('a changed field is sent alone; an emptied one as null', () => {
  const before = valuesOf(file())
  expect(patchOf(before, { ...before, former_name: '王涵', remark: ' ', tel: '' })).toEqual({ former_name: '王涵', remark: null })
})

test('无证件 empties document and number', () => {
  const before = valuesOf(file())
  expect(patchOf(before, { ...before, no_document: true })).toEqual({ id_type: null, id_no: null })
})

test('guardians keep their places in the list, so that refusals find their fields', () => {
  const before = valuesOf(file())
  const [father, mother] = before.parents ?? []
  const added = { user_name: '王爷爷', mobile: '16900000009', relation: '61', is_guardian: false, can_pickup: true, is_first: false }
  const patch = patchOf(before, { ...before, parents: [{ ...mother, is_first: true }, { ...added }] })
  expect(patch?.parents).toEqual([
    { user_id: '22', is_first: true },
    { user_name: '王爷爷', mobile: '16900000009', relation: '61', work: null, edu: null, is_first: false, is_guardian: false, can_pickup: true },
    { user_id: '21', removed: true },
  ])
  expect(patchOf(before, { ...before, parents: [{ ...father, work: '学校' }, { ...mother }] })?.parents).toEqual([{ user_id: '21', work: '学校', row_version: 3 }, { user_id: '22' }])
})

test('the same edit goes onto the file that was read again', () => {
  const fresh = file({ row_version: 9 })
  const [father] = fresh.parents
  const lines = [{ user_id: '21', work: '学校', row_version: 3 }, { user_id: '22' }]
  expect(onFreshFile({ remark: '新', parents: lines }, { ...fresh, parents: father ? [{ ...father, row_version: 8 }] : [] })).toEqual({
    user_id: '11', row_version: 9, remark: '新', parents: [{ user_id: '21', work: '学校', row_version: 8 }, { user_id: '22' }],
  })
})

test('a new file is a valid draft', () => {
  const parents = [{ user_name: '王志强', mobile: '169 0000 0001', relation: '51', is_first: true, is_guardian: true, can_pickup: true, id_no: '' }]
  const draft = draftOf({ ...emptyValues('7'), user_name: ' 王子涵', sex: '1', student_no: '２０２６', no_document: true, parents })
  expect(StudentDraft.parse(draft)).toMatchObject({ dept_id: '7', user_name: '王子涵', student_no: '2026', by_bus: '0', parents: [{ mobile: '16900000001' }] })
  expect(draft).not.toHaveProperty('id_type')
})

test('of custom fields only what was changed is said, an untouched mask never', () => {
  const field = { type: 'text', options: null, required: false, max_len: null, group_name: '', level: 1, may_edit: true, url: null } as const
  const custom = [{ ...field, field_code: 'hobby', label: '爱好', value: '围棋' }, { ...field, field_code: 'escort', label: '接送人手机', level: 3, value: '169****7777' }]
  const before = valuesOf(file({ custom }))
  expect(patchOf(before, structuredClone(before))).toBeNull()
  expect(patchOf(before, { ...before, ext: { ...before.ext, hobby: ' ' } })).toEqual({ ext: { hobby: null } })
  expect(draftOf({ ...emptyValues('7'), ext: { hobby: '足球', escort: undefined } }).ext).toEqual({ hobby: '足球' })
})
