import { describe, expect, test } from 'vitest'
import { foreignFormat, isOtherName, photoKey, photoName } from './photo-name.ts'

describe('the name of a picture', () => {
  test.each([
    '20260101', '20260101(1)', '20260101（2）', '20260101 (3)', '20260101 - 副本', '20260101 - 副本 (2)', '20260101_copy', '复件 20260101', '２０２６０１０１', '20260101.jpg', '\u200b20260101\ufeff',
  ])('%s is the number alone', who => expect(photoName(who)).toMatchObject({ whole: '20260101', numbers: [] }))

  test.each([
    '20260101_王子涵', '王子涵_20260101', '20260101-王子涵', '20260101 王子涵', '20260101王子涵', '王子涵20260101', '20260101（王子涵）', '20260101_王子涵(1)', '20260101+王子涵', '20260101.王子涵', '20260101_一年级1班_王子涵',
  ])('%s holds the number and his name', who => {
    const name = photoName(who)
    expect([name.numbers[0], isOtherName(name, '王子涵', new Set()), photoKey(who)]).toEqual(['20260101', false, '20260101'])
  })

  test('a number may have the signs between in it', () => expect(photoName('2026-01_01_王子涵').numbers[0]).toBe('2026-01_01'))
  test('a class is no number', () => expect(photoName('1班王子涵').numbers).toEqual([]))
  test('a class and a name stand in either order', () => expect(photoName('一年级1班_王子涵').pairs).toEqual([{ dept: '一年级1班', user_name: '王子涵' }, { dept: '王子涵', user_name: '一年级1班' }]))
  test('another name beside a number is noticed, what a picture is called is not', () => {
    const other = (who: string) => isOtherName(photoName(who), '王子涵', new Set(['党政办']))
    expect([other('20260101_李四'), other('20260101李四'), other('20260101_一寸照'), other('20260101_党政办'), other('20260101_2026')]).toEqual([true, true, false, false, false])
  })
})

test.each<[string, string, Buffer | null, string | null]>([
  ['a picture of a telephone', '1.jpg', Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1'), 'HEIC'], ['the same by its name', '1.HEIC', null, 'HEIC'], ['AVIF', '1.jpg', Buffer.from('\0\0\0\u0018ftypavif'), 'AVIF'],
  ['BMP', '1.jpg', Buffer.from('BM1234'), 'BMP'], ['TIFF', '1.png', Buffer.from('II*\0'), 'TIFF'], ['something else', '1.jpg', Buffer.from('no picture'), null],
])('%s', (_what, file, bytes, format) => expect(foreignFormat(file, bytes)).toBe(format))
