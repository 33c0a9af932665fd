import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './hash-pool.ts'

test('a password is kept as argon2id of 19 MiB and two passes, compared in NFC', async () => {
  const hash = await hashPassword('Pa\u0301ss1!')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'P\u00e1ss1!')).toBe(true)
  expect(await verifyPassword(hash, 'Pass1!')).toBe(false)
  expect(await verifyPassword(null, 'Pass1!')).toBe(false)
})

test('four hash at a time, 200 wait, the next is told to come back', async () => {
  const results = await Promise.allSettled(Array.from({ length: 210 }, () => verifyPassword(null, 'x')))
  const refused = results.filter(result => result.status === 'rejected')
  expect(refused).toHaveLength(6)
  expect(refused[0]?.reason).toMatchObject({ failure: { status: 503, id: 'identity.hashBusy' }, details: { retry_after: 3 } })
})
