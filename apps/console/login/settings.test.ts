import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

test.each([undefined, null, '', '{', '{}', 'null'])('settings that say nothing (%j) are those of production', text => {
  expect(parseSettings(text)).toEqual({})
})

test('what the server says is taken over', () => {
  const given = {
    env: 'pre', profile: 'region-sample', demo_accounts: [{ account: 'admin01', note: '学校管理员' }], demo_providers: [], filing_notice: '备案号', ribbon: '预发布环境', brand_title: '示例市智慧校园',
    brand_logo: '/brand/logo.svg', login_background: '/brand/login.jpg', build_id: '3f2a91c0d4e5 2026-11-21T03:10Z',
  }
  expect(parseSettings(JSON.stringify(given))).toEqual(given)
})
