import { expect, test } from 'vitest'
import { checkHideColumn, checkSelection } from './selection.ts'

test('60-A32 nothing ticked: each act of the libraries says its own sentence, word for word; the last visible column stays', () => {
  const acts = ['download', 'delete', 'publish', 'unpublish_place', 'unpublish_teacher'] as const
  expect(acts.map(act => checkSelection([], act))).toEqual([
    '请选择要下载的文件！',
    '请选择要删除的资源',
    '请选择要发布的资源！',
    '请选择要取消的教室！',
    '请选择要取消的教师！',
  ])
  expect(acts.map(act => checkSelection(['1'], act))).toEqual(acts.map(() => null))
  expect([checkHideColumn(2), checkHideColumn(1)]).toEqual([null, '已是最后一个！'])
})
