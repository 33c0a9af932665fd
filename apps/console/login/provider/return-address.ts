/** Where the test provider sends somebody back to: the parameters of each shape, as the real platforms send them. */
export function returnAddress(shape: string, { account, state, school_id }: { account: string; state: string; school_id: number }): string {
  const code = `${account}.${state}`
  const parameters: Readonly<Record<string, Record<string, string>>> = {
    A: { wxcode: code, state, auto_login: '1' },
    B: { appid: 'test', code },
    C: { code, type: 'test', token: state },
    D: { code, school_id: String(school_id) },
  }
  return `/${school_id}?${new URLSearchParams(parameters[shape])}`
}
