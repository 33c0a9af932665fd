import { expect, test } from 'vitest'
import { nameIndex } from './name-index.ts'

test.each([
  ['王子涵', 'wangzihan', 'wzh'],
  ['单小明', 'shanxiaoming', 'sxm'],
  ['仇英', 'qiuying', 'qy'],
  ['曾国藩', 'zengguofan', 'zgf'],
  ['欧阳若曦', 'ouyangruoxi', 'oyrx'],
  ['尉迟恭', 'yuchigong', 'ycg'],
  ['吕旸', 'lvyang', 'ly'],
  ['阿依古丽·买买提', 'ayigulimaimaiti', 'ayglmmt'],
  ['Anna Müller', 'annamuller', 'am'],
  ['李㐀', 'li㐀', 'l㐀'],
  ['陈𠀀', 'chen𠀀', 'c𠀀'],
  ['김민준', '김민준', '김'],
])('%s is found as %s and %s', (user_name, name_py, name_initials) => {
  expect(nameIndex(user_name)).toEqual({ name_py, name_initials })
})
