import { LoginReply, loginApi } from '@campus/identity/contract'
import { checkRoleChoice, checkUsableRoles } from '@kit/contract/checks'
import { encryptField } from '@kit/contract/sm2'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataOf, send } from '../../testing/request.ts'
import type { Answer } from '../../testing/request.ts'
import { demo_schools } from '../accounts.ts'
import { demoPassword } from '../demo-password.ts'
import { issueToken } from '../issue-token.ts'
import type { DemoServer } from './start-demo.ts'

const { main, enterprise, second } = demo_schools
const fixed_captcha = '2222'
const rolesOf = (answer: Answer) => LoginReply.parse(answer.body.data).role_list

/** Signs in as the login page does. */
async function signInAt({ running }: DemoServer, url: string, { account, school_id, password = demoPassword(running.app.config) }: { account: string; school_id?: number | undefined; password?: string | undefined }): Promise<Answer> {
  const { key, public_key, key_id } = dataOf(loginApi.captcha, await send(url, loginApi.captcha, {}))
  const sealed = (text: string) => encryptField(text, key, public_key, key_id)
  return send(url, loginApi.check, { username: sealed(account), password: sealed(password), cap_key: key, cap_value: fixed_captcha, school_id })
}

/** How the demo accounts sign in; a part of the tests of the demo, which make one for all of them. */
export function testSignIns(demo: () => DemoServer): void {
  let url: string
  beforeAll(async () => {
    url = await demo().running.http.listen({ host: '127.0.0.1', port: 0 })
  })

  const signIn = (account: string, school_id?: number, password?: string) => signInAt(demo(), url, { account, school_id, password })

  describe('at the root address', () => {
    test.each([
      ['super', [[main, 'SYS001_Super'], [second, 'SYS001_Super']]],
      ['admin01', [[main, 'SYS001_SchoolAdmin']]],
      ['duo01', [[main, 'SYS002_GradeHead'], [main, 'SYS003_ClassTeacher'], [second, 'SYS003_Teacher']]],
      ['shouji01', [[main, 'CUS_3']]],
      ['kongcai01', [[main, 'CUS_2']]],
      ['shenji01', [[main, 'CUS_1']]],
    ])('%s may choose among %j', async (account, roles) => {
      const answer = await signIn(account)
      expect(answer.body.code).toBe(600)
      expect(rolesOf(answer).map(role => [role.school_id, role.code])).toEqual(roles)
    })

    test.each(['jiazhang01', 'xuesheng01', 'kuaidi01', 'yuangong01'])('%s finds no identity to sign in with', async account => {
      const answer = await signIn(account)
      expect(answer.body.code).toBe(600)
      expect(checkUsableRoles(rolesOf(answer))).toBe('此账号无登录权限')
    })

    test.each([['moren01', 6005], ['guoqi01', 6006], ['loudong01', 6007]])('%s is answered %i', async (account, code) => {
      const answer = await signIn(account)
      expect([answer.status, answer.body.code]).toEqual([200, code])
      expect((await signIn(account, undefined, 'Wrong@Pass26')).status).toBe(422)
    })

    test('shouji01 is told to use the phone', async () => {
      expect(checkRoleChoice(rolesOf(await signIn('shouji01'))[0])).toBe('请使用手机端登录')
    })
  })

  test('yuangong01 enters at the address of the enterprise', async () => {
    expect(rolesOf(await signIn('yuangong01', enterprise)).map(role => [role.school_id, role.code])).toEqual([[enterprise, 'SYS001_SchoolAdmin']])
  })

  describe('a token without signing in', () => {
    test.each([['admin01', 3], ['super', 3]])('is issued to %s', async (account, parts) => expect((await issueToken(demo().running, account)).split('.')).toHaveLength(parts))
    test('is refused to nobody', () => expect(issueToken(demo().running, 'nobody1')).rejects.toThrow('there is no account nobody1'))
  })
}
