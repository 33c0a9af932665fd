import { useEffect, useState } from 'react'
import { useLogin } from './login-state.ts'
import type { Login } from './login-state.ts'
import type * as later from './provider/provider-list.tsx'

/** Other ways to sign in; their code comes only where there are any. */
export function Providers({ login }: { login: Login }) {
  const { face, offer } = useLogin(login)
  const [loaded, setLoaded] = useState<typeof later | null>(null)
  const is_wanted = offer !== null || (face?.providers.length ?? 0) > 0
  useEffect(() => {
    if (is_wanted) void import('./provider/provider-list.tsx').then(setLoaded, () => undefined)
  }, [is_wanted])
  return is_wanted && loaded && <loaded.ProviderList login={login} />
}
