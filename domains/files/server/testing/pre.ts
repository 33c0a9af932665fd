import type { TestApp, TestUser } from '@apps/server/testing'
import type { Pre } from '@kit/server/http'

/** A person's request on its way to its transaction, for functions that other domains call. */
export function preOf(app: TestApp, { user_id, school_id }: Pick<TestUser, 'user_id' | 'school_id'>): Pre {
  const { database } = app.running
  const scope = { kind: 'all', ids: [], facts: [] } as const
  const me = { user_id, school_id, user_no: '', user_name: '', username: '', role_no: '', role_id: '', role_code: '', role_name: '', user_dep: '1', session_id: '', is_super: false, dept_is_exact: false, codes: new Set<string>(), scopes: { dept: scope, place: scope } }
  return {
    app: app.running.app, now: app.clock.now(), log: app.running.app.log, request: { request_id: '', ip: '', device_label: '', client: 'web' }, note: () => undefined,
    me, caller: async () => me, bearer: '', cookies: {}, setCookie: () => undefined, own: (id, fn) => database.tenant(id, fn), file: null,
    letter: null,
  }
}
