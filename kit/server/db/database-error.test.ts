import { describe, expect, it } from 'vitest'
import { errorOf, fieldsOf } from './database-error.ts'
import { constraintOf, isDatabaseDown } from './index.ts'

const coded = (code: string): Error => Object.assign(new Error('x'), { code })

describe('constraintOf', () => {
  it('strips the shard number that Citus appends', () => {
    const error = errorOf({ message: 'duplicate', severity: 'ERROR', code: '23505', constraint: 'room_name_102192', table: 'room_102192', column: 'c', detail: 'd' })
    expect(constraintOf(error)).toEqual({ code: '23505', constraint: 'room_name', table: 'room', column: 'c', detail: 'd' })
  })

  it.each([
    ['duplicate key value violates unique constraint "upgrade_plan_year_102345"', '23505', 'upgrade_plan_year', undefined],
    ['insert or update on table "student_102346" violates foreign key constraint "student_person_fkey_102346"', '23503', 'student_person_fkey', 'student'],
    ['new row for relation "pass_event_202611_102347" violates check constraint "pass_event_state_check"', '23514', 'pass_event_state_check', 'pass_event_202611'],
    ['conflicting key value violates exclusion constraint "bed_once_102348"', '23P01', 'bed_once', undefined],
    ['relation "student_102346" does not exist', '42P01', undefined, undefined],
  ])('reads the names of a broken constraint from the message: %s', (message, code, constraint, table) => {
    expect(constraintOf(errorOf({ message, severity: 'ERROR', code }))).toMatchObject({ code, constraint, table })
  })

  it('leaves a name that ends in a small number alone', () => {
    expect(constraintOf(errorOf({ message: 'x', severity: 'ERROR', code: '23514', constraint: 'rule_2' }))).toMatchObject({ constraint: 'rule_2' })
  })

  it.each([new Error('x'), coded('EPERM'), coded('23505'), null, undefined, 'text', 7])('%s is no database error', (error) => {
    expect(constraintOf(error)).toBeNull()
  })
})

describe('isDatabaseDown', () => {
  it.each(['57P01', '57P02', '57P03', '08006', '08001', '08003', 'ECONNREFUSED', 'ECONNRESET', '53300'])('%s means down', (code) => {
    expect(isDatabaseDown(coded(code))).toBe(true)
  })

  it.each(['23505', '57014', '42501', '40001', 'ENOENT', '08'])('%s does not', (code) => {
    expect(isDatabaseDown(coded(code))).toBe(false)
  })

  it('nor does a plain error', () => {
    expect([isDatabaseDown(new Error('x')), isDatabaseDown(null)]).toEqual([false, false])
  })
})

it('an error keeps its fields across threads', () => {
  const fields = { message: 'm', severity: 'ERROR', code: '23503', constraint: 'k', table: 't', column: 'c', detail: 'd', schema: 's', hint: 'h' }
  expect(fieldsOf(errorOf(structuredClone(fieldsOf(errorOf(fields)))))).toEqual(fields)
})
