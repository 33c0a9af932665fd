import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkResidentId, parseIdCard, warnResidentId } from './index.ts'

const BAD_FORM = '身份证号格式不正确'

describe('resident numbers in forms and imports', () => {
  test('a date that never was is refused, a wrong check sign or region only warns', () => {
    expect(checkResidentId('610900201302301858')).toBe(BAD_FORM)
    expect(checkResidentId('411600710229012')).toBe(BAD_FORM)
    expect(checkResidentId('421300200208289097')).toBeNull()
    expect(warnResidentId('421300200208289097')).toBe('身份证号校验位不符，请核对')
    expect(warnResidentId('990101200308071962')).toBe('身份证号校验位不符，请核对')
    expect(warnResidentId('540400201206243381')).toBeNull()
    expect(warnResidentId('370900560812001')).toBeNull()
  })

  test('a birthday after today is refused where today is told', () => {
    expect(checkResidentId('361000209912315006', '15_or_18', '2026-11-20')).toBe(BAD_FORM)
    expect(checkResidentId('361000209912315006')).toBeNull()
    expect(parseIdCard('540400201206243381', '2012-06-24')?.birthday).toBe('2012-06-24')
    expect(parseIdCard('540400201206243381', '2012-06-23')?.birthday).toBeNull()
  })

  test('sex, birthday and both normal forms are read', () => {
    expect(parseIdCard('63020020080629789x')).toEqual({
      sex: '1', birthday: '2008-06-29', normalised: '63020020080629789X', normalised18: '63020020080629789X', checksum_ok: true, region_ok: true,
    })
    const old = parseIdCard('370900560812002')
    expect(old).toMatchObject({ sex: '2', birthday: '1956-08-12', normalised: '370900560812002' })
    expect(parseIdCard(old?.normalised18 ?? '')).toMatchObject({ checksum_ok: true, birthday: '1956-08-12', sex: '2' })
  })

  test('any single changed digit breaks the check sign', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 9 }), (at, add) => {
      const digits = [...'540400201206243381']
      digits[at] = String((Number(digits[at]) + add) % 10)
      expect(parseIdCard(digits.join(''))?.checksum_ok).toBe(false)
    }))
  })
})
