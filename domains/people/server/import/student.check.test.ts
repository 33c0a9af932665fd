import { describe, expect, test } from 'vitest'
import { line, parsedLine, words } from './import.builders.ts'
import { checkStudent, studentKeys } from './student.parsed.ts'

const check = (cells: Record<string, string>) => checkStudent(words, line(cells))

test('the sample line of the template is right', () => {
  const { errors, warnings, parsed } = check({})
  expect({ errors, warnings, missing: parsed?.missing }).toEqual({ errors: [], warnings: [], missing: [] })
  expect(parsed?.values).toMatchObject({ sex: '1', birthday: '2018-05-12', native_place: '370200', by_bus: '0', distance_km: '1.5' })
  expect(parsed?.class?.dept_id).toBe('11')
  expect(parsed?.guardians.map(guardian => [guardian.user_name, guardian.relation, guardian.is_guardian])).toEqual([['王志强', '51', true], ['李秀芳', '52', true]])
})

describe('20-A18 every rule has its sentence', () => {
  test.each([
    ['user_name', '李明,王芳', '不能包含逗号'],
    ['user_name', '李明，王芳', '不能包含逗号'],
    ['user_name', '李明😀', '不能包含特殊字符'],
    ['user_name', '王'.repeat(51), '超过50个字'],
    ['sex', '先生', '字典值不存在'],
    ['grade', '一年', '字典值不存在'],
    ['class_name', '9班', '班级不存在：9班'],
    ['class_name', '2班', '同名班级不唯一，请写全路径'],
    ['student_no', '学号1', '不能包含汉字'],
    ['student_no', '2025 0101', '不能包含特殊字符'],
    ['school_roll_no', 'X370200201805120014', '格式不正确'],
    ['id_no', '37020020180512001', '身份证号格式不正确'],
    ['id_no', '370200201802300014', '身份证号格式不正确'],
    ['birthday', '20180230', '日期不存在：20180230'],
    ['birthday', '2018年5月', '格式不正确'],
    ['birthday', '20180513', '出生日期与身份证号不一致'],
    ['sex', '女', '性别与身份证号不一致'],
    ['birth_division', '999999', '字典值不存在'],
    ['native_place', '火星', '字典值不存在'],
    ['enrol_month', '202513', '格式不正确'],
    ['address', '路'.repeat(201), '超过200个字'],
    ['tel', '12900000001', '手机号格式不正确'],
    ['postcode', '26600', '格式不正确'],
    ['email', 'a@b', '邮箱格式不正确'],
    ['distance_km', '201', '格式不正确'],
    ['card_no', '123456789', '格式不正确'],
    ['p1_mobile', '169', '手机号格式不正确'],
    ['p1_id_no', '1', '身份证号格式不正确'],
    ['p2_mobile', '16900000002', '手机号已被占用'],
    ['p2_relation', '', '必填项不能为空'],
    ['user_name', '[清空]', '必填项不能为空'],
  ])('%s = %s: %s', (prop, text, msg) => {
    // The sample's sex says 男 and its number too; a woman's sample number must agree with the rest of the line.
    expect(check({ [prop]: text }).errors).toContainEqual({ prop, msg })
  })
})

test('a wrong check digit is a warning', () => {
  const { errors, warnings } = check({ id_no: '370200201805120010' })
  expect(errors).toEqual([])
  expect(warnings).toEqual([{ prop: 'id_no', msg: '身份证号校验位不符，请核对' }])
})

test('columns that other parts of the product take over are kept with a note', () => {
  expect(check({ card_no: '2025000001', tags: '体育特长' }).warnings.map(issue => issue.prop)).toEqual(['card_no', 'tags'])
})

test('another document has no resident form', () => {
  expect(check({ id_type: '护照', id_no: 'E12345678' }).errors).toEqual([])
  expect(check({ id_type: '护照', id_no: 'E1234(8)' }).errors).toEqual([{ prop: 'id_no', msg: '不允许输入特殊字符' }])
})

test('sex and birthday come from the number when they are empty', () => {
  expect(check({ sex: '', birthday: '' }).parsed?.values).toMatchObject({ sex: '1', birthday: '2018-05-12' })
})

test('full-width signs are folded in numbers, never in names', () => {
  const { parsed } = check({ student_no: '２０２５０１０１', user_name: '王Ａ' })
  expect(parsed?.values).toMatchObject({ student_no: '20250101', user_name: '王Ａ' })
})

test('a class may be named by its whole path', () => {
  expect(parsedLine({ class_name: '一校/西校区/一年级/一年级2班' }).class?.dept_id).toBe('13')
  expect(parsedLine({ class_name: '东校区/一年级/一年级2班' }).class?.dept_id).toBe('12')
})

test('an empty cell changes nothing, [清空] clears', () => {
  const { values } = parsedLine({ blood: '', remark: '[清空]' })
  expect('blood' in values).toBe(false)
  expect(values.remark).toBeNull()
})

test('one pupil is told by number, identity document and roll number', () => {
  const keys = studentKeys(parsedLine())
  expect(keys.map(key => [key.prop, key.msg?.(7)])).toEqual([
    ['student_no', undefined],
    ['id_no', '同一学生重复出现在第7行'],
    ['school_roll_no', '同一学生重复出现在第7行'],
  ])
})
