import { describe, expect, test } from 'vitest'
import { rankTitle } from './title-match.ts'

describe('pinyin initials', () => {
  test.each([
    ['学生家长档案', 'xsjzda'], ['学校信息', 'xxxx'], ['应用中心', 'yyzx'], ['首页概览', 'sygl'], ['学生组织架构', 'xszzjg'], ['变更记录', 'bgjl'],
    ['角色组设置', 'jszsz'], ['系统操作日志', 'xtczrz'], ['档案操作日志', 'daczrz'], ['字典', 'zd'], ['修改密码', 'xgmm'], ['登录设备', 'dlsb'],
    ['切换身份', 'qhsf'], ['人脸管理', 'rlgl'], ['教职工通行规则', 'jzgtxgz'], ['信息收集弹窗', 'xxsjtc'], ['调课', 'tk'], ['调课', 'dk'], ['重名', 'cm'],
    ['宿舍', 'ss'], ['餐厅', 'ct'], ['访客原因', 'fkyy'], ['班级荣誉', 'bjry'], ['欧阳', 'oy'], ['帕米尔', 'pme'], ['噢', 'o'],
  ])('%s is found by %s', (title, typed) => {
    expect(rankTitle(title, typed)).toBe(2)
  })
})

test.each([
  ['学生家长档案', '学生', 0],
  ['学生家长档案', '家长', 1],
  ['学生家长档案', 'XSJ', 2],
  ['学生家长档案', 'jzda', 3],
  ['学生家长档案', 'ｘｓ', 2],
  ['学生家长档案', ' 学 生 ', 0],
  ['学生家长档案', 'xd', null],
  ['学生家长档案', 'xsjzdaa', null],
  ['学生家长档案', '老师', null],
  ['AI预警规则', 'ai', 0],
  ['AI预警规则', 'aiyj', 2],
  ['AI预警规则', 'yjgz', 3],
  ['首页概览', '', 0],
] as const)('%s fits “%s” as %j', (title, typed, rank) => {
  expect(rankTitle(title, typed)).toBe(rank)
})
