import type { Me } from '@kit/server/http'

const everything = { kind: 'all', ids: [], facts: [] } as const

/** Who fills in a public form: nobody of the school. Only to read which classes and dictionaries a form offers; holds no code. */
export function visitorOf(school_id: number): Me {
  return {
    user_id: '0', user_no: '', user_name: '访客', username: '', school_id, role_no: '', role_id: '0', role_code: '', role_name: '', user_dep: '1', session_id: '',
    is_super: false, dept_is_exact: false, codes: new Set(), scopes: { dept: everything, place: everything },
  }
}
