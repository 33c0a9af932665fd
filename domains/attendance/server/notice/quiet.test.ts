import { expect, test } from 'vitest'
import { afterQuiet } from './quiet.ts'

const at = (time: string) => new Date(`2026-09-15T${time}:00+08:00`)

test('quiet hours over midnight hold a message until the morning; outside of them it goes at once', () => {
  const next = (time: string) => afterQuiet(at(time), '22:00', '06:30')
  expect(next('21:59')).toEqual(at('21:59'))
  expect(next('22:00')).toEqual(new Date('2026-09-16T06:30:00+08:00'))
  expect(next('23:30')).toEqual(new Date('2026-09-16T06:30:00+08:00'))
  expect(next('05:00')).toEqual(at('06:30'))
  expect(next('06:30')).toEqual(at('06:30'))
})

test('quiet hours inside a day, and none', () => {
  expect(afterQuiet(at('12:30'), '12:00', '14:00')).toEqual(at('14:00'))
  expect(afterQuiet(at('14:00'), '12:00', '14:00')).toEqual(at('14:00'))
  expect(afterQuiet(at('12:30'), '12:00', '12:00')).toEqual(at('12:30'))
})
