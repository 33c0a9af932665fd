import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

const nothing = { env: 'prod', profile: '', demo_accounts: [], filing_notice: null }

test.each([undefined, null, '', '{', '{}', 'null'])('settings that say nothing (%j) are those of production', text => {
  expect(parseSettings(text)).toEqual(nothing)
})

test('demo accounts and the filing notice are taken over', () => {
  const given = { env: 'dev', profile: 'demo', demo_accounts: [{ account: 'admin01', note: '学校管理员' }], filing_notice: '备案号' }
  expect(parseSettings(JSON.stringify(given))).toEqual(given)
})
