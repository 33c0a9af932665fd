import { providerApi, providerLoginApi } from '@campus/identity/contract'
import { implement } from '../db.ts'
import { bindOwn, listBinds, listOwnBinds, unbindOwn, unbindUser } from './bind.service.ts'
import { makeLoginLink } from './one-time-code.service.ts'
import { loginByProvider } from './provider-login.service.ts'
import { startLogin } from './provider-start.service.ts'
import { beginTest, readTestSteps } from './provider-test.service.ts'
import { createProvider, listProviders, removeProvider, updateProvider } from './provider.service.ts'

const login = implement(providerLoginApi, {
  autoLogin: { outside: (pre, { wxcode, state }) => loginByProvider(pre, { shape: 'A', code: wxcode, state }) },
  weixiao: { outside: (pre, { code, state }) => loginByProvider(pre, { shape: 'B', code, state }) },
  third: { outside: (pre, { code, token }) => loginByProvider(pre, { shape: 'C', code, state: token }) },
  form: { outside: (pre, { code, school_id }) => loginByProvider(pre, { shape: 'D', code, school_id }) },
  start: { outside: (pre, query) => startLogin(pre, query) },
  bind: { outside: (pre, body) => bindOwn(pre, body) },
  mine: ctx => listOwnBinds(ctx),
  unbind: (ctx, body) => unbindOwn(ctx, body),
  oneTimeCode: { outside: (pre, body) => makeLoginLink(pre, body) },
})

const admin = implement(providerApi, {
  list: ctx => listProviders(ctx),
  create: (ctx, body) => createProvider(ctx, body),
  update: (ctx, input) => updateProvider(ctx, input),
  remove: (ctx, input) => removeProvider(ctx, input),
  test: { outside: (pre, body) => beginTest(pre, body) },
  testResult: { outside: (pre, { test_no }) => readTestSteps(pre, test_no) },
  bound: (ctx, query) => listBinds(ctx, query),
  unbind: (ctx, body) => unbindUser(ctx, body),
})

export const providerRoutes = [...login, ...admin]
