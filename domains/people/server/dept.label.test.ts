import { describe, expect, test } from 'vitest'
import { deptLabel } from './dept.label.ts'
import type { LabelVersion } from './dept.label.ts'

const class_1: LabelVersion = { dept_type: 4, dept_name: '一年级1班', grade: '11', enrol_year: 2025, pt_node_path_name: '启明实验学校/小学部/一年级/一年级1班' }
const grade: LabelVersion = { dept_type: 3, dept_name: '一年级', grade: '11', enrol_year: 2025, pt_node_path_name: '启明实验学校/小学部/一年级' }
const senior: LabelVersion = { dept_type: 4, dept_name: '高一年级3班', grade: '31', enrol_year: 2026, pt_node_path_name: '启明实验学校/高中部/高一/高一年级3班' }
const named: LabelVersion = { ...class_1, dept_name: '启航班', pt_node_path_name: '启明实验学校/小学部/一年级/启航班' }
const office: LabelVersion = { dept_type: 5, dept_name: '教务处', grade: null, enrol_year: null, pt_node_path_name: '启明实验学校/教务处' }
const workshop: LabelVersion = { dept_type: 11, dept_name: '生产一车间', grade: null, enrol_year: null, pt_node_path_name: '启明智造有限公司/生产部/生产一车间' }

describe('20-A17 one label function', () => {
  test.each([
    [class_1, 1, '一年级1班'], [class_1, 2, '小学部/一年级/1班'], [class_1, 3, '1班'], [class_1, 4, '2025级1班'],
    [senior, 1, '高一3班'], [senior, 2, '高中部/高一/3班'], [senior, 3, '3班'], [senior, 4, '2026级3班'],
    [named, 1, '一年级启航班'], [named, 2, '小学部/一年级/启航班'], [named, 3, '启航班'], [named, 4, '2025级启航班'],
    [grade, 1, '一年级'], [grade, 2, '小学部/一年级'], [grade, 3, '一年级'], [grade, 4, '一年级'],
    [office, 1, '教务处'], [office, 2, '教务处'], [office, 3, '教务处'], [office, 4, '教务处'],
    [workshop, 1, '生产一车间'], [workshop, 2, '生产部/生产一车间'], [workshop, 3, '生产一车间'], [workshop, 4, '生产一车间'],
  ])('%o in format %i is %s', (version, format, label) => {
    expect(deptLabel(version, format, false)).toBe(label)
  })

  test.each([1, 2, 3, 4])('an exact identity reads the path in format %i', format => {
    expect(deptLabel(class_1, format, true)).toBe('小学部/一年级/1班')
  })

  test.each([1, 2, 3, 4])('a graduated class keeps its year in format %i', format => {
    const graduated = { ...class_1, dept_name: '六年级1班', grade: '16', enrol_year: 2019, is_closed: true }
    expect(deptLabel(graduated, format, format === 2)).toBe('2019级1班(已毕业)')
  })

  test('a name that is only the grade word stays', () => {
    expect(deptLabel({ ...class_1, dept_name: '一年级' }, 3, false)).toBe('一年级')
  })
})
