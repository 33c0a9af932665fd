import type { Judgement } from '@campus/jobs/server'
import { describe, expect, test } from 'vitest'
import { indexIdNo } from '../id-number.ts'
import { parsedLine, snapshot, words } from './import.builders.ts'
import { judgeStudent } from './student.judge.ts'
import type { KnownLink, KnownPupil, StudentSnapshot } from './student.snapshot.ts'

const id_no = '370200201805120014'
const id_idx = indexIdNo(words.keys, id_no)
const nothing = { health: null, blood: null, name_pinyin: null, former_name: null, native_place: null, birth_division: null, hukou_division: null, hukou: null }
const unsaid = { entry_way: null, source: null, only_child: null, preschool: null, left_behind: null, migrant_child: null, orphan: null, martyr_child: null }
const unasked = { need_aid: null, boarding_aid: null, disability: null, distance_km: '1.50', commute: null, by_bus: false, remark: null, ext: {} }
const known: KnownPupil = {
  ...nothing, ...unsaid, ...unasked,
  school_id: 1, user_id: '900', student_no_lower: '', student_no: '20250101', school_roll_no: null, enrol_month: '202509', study_method: '1', mobile: null,
  user_name: '王子涵', name_py: 'wangzihan', name_initials: 'wzh', sex: '1', id_type: '1', id_no_enc: Buffer.alloc(1), id_no_idx: id_idx, id_no_mask: '370***********0014',
  birthday: '2018-05-12', nation: '01', country: null, gatqw: null, political: null, email: null, tel: null, address: null, mail_address: null,
  home_address: null, postcode: null, photo_file_key: null, row_version: 4, state: '01', dept_id: '11', stage: '1',
}
const father: KnownLink = {
  id: '1', student_user_id: '900', parent_user_id: '901', relation: '51', is_first: true, is_guardian: true, can_pickup: true, order_no: 1, valid_from: '2026-09-01',
  user_name: '王志强', mobile: '16900000002', id_type: null, id_no_idx: null, id_no_mask: null, work: null, edu: null,
}
const only = (text: Record<string, string>) => Object.fromEntries([...cleared, ...Object.entries(text)])
const cleared = Object.keys(parsedLine().values).map(prop => [prop, ''] as const)

function judge(cells: Record<string, string>, facts: Partial<StudentSnapshot> = {}, counted = (_name: string) => 0): Judgement {
  return judgeStudent({ row_no: 3, parsed: parsedLine(cells) }, snapshot(facts), counted)
}

const here = (pupil: KnownPupil = known): Partial<StudentSnapshot> => ({
  by_no: new Map([[pupil.student_no, pupil]]),
  by_id: new Map([[id_idx.toString('hex'), pupil]]),
  id_owners: new Map([[id_idx.toString('hex'), pupil.user_id]]),
  links: new Map([['900', [father]]]),
  holders: new Map([['16900000002', { user_id: '901', user_name: '王志强' }]]),
})

test('nobody fits: a new pupil', () => {
  expect(judge({})).toMatchObject({ verdict: 'new', target_id: null, errors: [], warnings: [] })
})

test('a new pupil needs every required column', () => {
  const { errors } = judge(only({ user_name: '王一', student_no_lower: '', student_no: '1' }))
  expect(errors).toContainEqual({ prop: 'address', msg: '必填项不能为空' })
  expect(errors).toContainEqual({ prop: 'p1_mobile', msg: '必填项不能为空' })
  expect(errors).toHaveLength(39 - 2)
})

describe('a known pupil', () => {
  test('is met by his number; empty cells change nothing', () => {
    expect(judge(only({ student_no_lower: '', student_no: '20250101' }), here())).toMatchObject({ verdict: 'same', target_id: '900', basis: 'v4', diff: [], errors: [] })
  })

  test('shows what changes, masked where it must be', () => {
    const { verdict, diff } = judge(only({ student_no_lower: '', student_no: '20250101', user_name: '王梓涵', tel: '16900000009', distance_km: '1.5', blood: '未知血型' }), here())
    expect(verdict).toBe('change')
    expect(diff).toEqual([
      { prop: 'user_name', before: '王子涵', after: '王梓涵' },
      { prop: 'blood', before: '', after: '未知血型' },
      { prop: 'tel', before: '', after: '169****0009' },
    ])
  })

  test('20-A20 is not moved by the sheet', () => {
    const parsed = { student_no_lower: '', student_no: '20250101', grade: '一年级', class_name: '东校区/一年级/一年级2班' }
    expect(judge(only(parsed), here())).toMatchObject({ verdict: 'same', warnings: [{ prop: 'class_name', msg: '已在一年级1班，调班请使用调班功能' }] })
  })

  test('who has left comes back by 返校', () => {
    expect(judge({}, here({ ...known, state: null })).errors).toContainEqual({ prop: 'id_no', msg: '该证件号属于离校人员，请办理返校' })
  })

  test('of another class is out of reach for a class teacher', () => {
    expect(judge({}, { ...here(), scope: ['12'] }).errors).toContainEqual({ prop: '', msg: '该学生不在您的管理范围内' })
  })

  test('gets a new guardian, and keeps one', () => {
    const guardian = { p2_name: '李秀芳', p2_relation: '母亲', p2_mobile: '16900000003', p2_guardian: '是' }
    expect(judge(only({ student_no_lower: '', student_no: '20250101', ...guardian }), here()).diff).toEqual([{ prop: 'p2_mobile', before: '', after: '169****0003' }])
    const last = { p1_name: '王志强', p1_relation: '父亲', p1_mobile: '16900000002', p1_guardian: '否' }
    expect(judge(only({ student_no_lower: '', student_no: '20250101', ...last }), here()).errors).toEqual([{ prop: 'p1_guardian', msg: '至少保留一名监护人' }])
  })
})

describe('numbers of somebody else', () => {
  const other = { ...known, user_id: '950', student_no_lower: '', student_no: '20250102', id_no_idx: null }
  test.each<[string, Record<string, string>, Partial<StudentSnapshot>, { prop: string; msg: string }]>([
    ['a student number', { student_no_lower: '', student_no: '20250102' }, { ...here(), by_no: new Map([['20250102', other]]) }, { prop: 'student_no', msg: '学号重复' }],
    ['an identity number', {}, { id_owners: new Map([[id_idx.toString('hex'), '960']]) }, { prop: 'id_no', msg: '身份证号重复' }],
    ['a staff number', {}, { teacher_nos: new Set(['20250101']) }, { prop: 'student_no', msg: '人员编号重复' }],
    ["a parent's number", { student_no_lower: '', student_no: 'P17' }, {}, { prop: 'student_no', msg: '人员编号重复' }],
    ["20-A21 somebody's mobile", {}, { holders: new Map([['16900000002', { user_id: '970', user_name: '赵强' }]]) }, { prop: 'p1_mobile', msg: '手机号已被占用' }],
    ['the mobile of the own father under another name', { p1_name: '王强' }, here(), { prop: 'p1_mobile', msg: '家长手机号与姓名不符' }],
  ])('%s is refused', (_what, cells, facts, issue) => {
    expect(judge(cells, facts).errors).toContainEqual(issue)
  })

  test("20-A21 a known mobile with the same name joins: brothers, sisters, a teacher's child", () => {
    expect(judge({}, { holders: new Map([['16900000002', { user_id: '970', user_name: '王志强' }]]) }).errors).toEqual([])
  })
})

test('a class that will be over its capacity is a warning', () => {
  expect(judge({}, { class_sizes: new Map([['11', 2]]) }).warnings).toEqual([{ prop: 'class_name', msg: '班级人数将超过上限' }])
  expect(judge({}, {}, name => (name === 'class:11' ? 3 : 0)).warnings).toEqual([{ prop: 'class_name', msg: '班级人数将超过上限' }])
})

test('two names under one mobile in the file are a warning', () => {
  const counted = (name: string) => (name === 'mobile:16900000002' ? 2 : name.startsWith('mobile:16900000002:') ? 1 : 0)
  expect(judge({}, {}, counted).warnings.map(issue => issue.prop)).toEqual(['p1_mobile'])
})
