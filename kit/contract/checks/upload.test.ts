import { expect, test } from 'vitest'
import { checkChosen, pictureSize, uploadName } from './upload.ts'

test.each([
  [4000, 3000, 720, 540],
  [3000, 4000, 960, 1280],
  [500, 400, 500, 400],
  [2000, 2000, 720, 720],
  [1000, 1200, 1000, 1200],
  [721, 720, 720, 719],
  [10_000, 3, 720, 1],
])('10-A20 a picture of %d×%d is sent as %d×%d', (width, height, sent_width, sent_height) => {
  expect(pictureSize(width, height)).toEqual({ width: sent_width, height: sent_height })
})

test.each([
  ['照片.JPG', '9000010000001760000000000.jpg'],
  ['a.tar.gz', '9000010000001760000000000.gz'],
  ['no extension', '9000010000001760000000000.jpg'],
  [undefined, '9000010000001760000000000.jpg'],
])('%s is uploaded under school, random number, time and extension', (file_name, name) => {
  expect(uploadName(900001, 1_760_000_000_000, 0, file_name)).toBe(name)
})

test('the random number has six digits, whatever is drawn', () => {
  expect(uploadName(1, 2, 0.0000421)).toBe('10000422.jpg')
  expect(uploadName(1, 2, 0.999_999_9)).toBe('19999992.jpg')
})

test('10-A20 of 151 chosen files the person is told', () => {
  expect(checkChosen(150)).toBeNull()
  expect(checkChosen(151)).toBe('一次最多选择150个文件')
})
