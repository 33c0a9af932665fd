import { loginApi } from '@campus/identity/contract'
import { issueCaptcha } from './captcha.service.ts'
import { implement } from './db.ts'
import { enterRole } from './enter.service.ts'
import { attemptLogin } from './login-attempt.service.ts'
import { readLoginRule } from './login-rule.service.ts'
import { setForcedPassword } from './own-password.service.ts'
import { refreshSession } from './refresh.service.ts'

export const loginRoutes = implement(loginApi, {
  captcha: { outside: (pre, { type }) => issueCaptcha(pre, type) },
  check: { outside: (pre, body) => attemptLogin(pre, body) },
  passwordSet: { outside: (pre, { school_id }) => readLoginRule(pre, school_id) },
  token: { outside: (pre, query) => enterRole(pre, query) },
  refresh: { outside: pre => refreshSession(pre) },
  forcedPassword: { outside: (pre, body) => setForcedPassword(pre, body) },
})
