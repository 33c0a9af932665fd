import type { MouseEvent } from 'react'
import { messages, readAnswer } from '../call.ts'
import { useLogin } from '../login-state.ts'
import type { Login } from '../login-state.ts'
import { showToast } from '../toast.tsx'
import { ProviderIcon } from './provider-icon.tsx'

/** Other ways to sign in that the school has enabled, and what may be bound after a password login. */
export function ProviderList({ login }: { login: Login }) {
  const { face, offer } = useLogin(login)
  const providers = face?.providers ?? []
  return (
    <nav className="providers" aria-labelledby={providers.length > 0 ? 'providers_title' : undefined}>
      {offer && <p className="providers-offer" role="status">用账号密码登录一次，即可绑定{offer.label}</p>}
      {providers.length > 0 && <h2 id="providers_title"><span>其他登录方式</span></h2>}
      <ul>
        {providers.map(({ shape, label, icon, start_url }) => (
          <li key={start_url}>
            <a href={start_url} data-shape={shape} onClick={event => void leave(event, start_url)}><ProviderIcon icon={icon} /><span>{label}</span></a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A way that has been shut meanwhile says so here instead of in an empty window. */
async function leave(event: MouseEvent<HTMLAnchorElement>, start_url: string): Promise<void> {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  try {
    const answer = await fetch(start_url, { redirect: 'manual' })
    if (answer.type === 'opaqueredirect') return location.assign(start_url)
    const refused = readAnswer(answer.status, await answer.text())
    showToast(refused.kind === 'ok' ? messages.generic : refused.msg)
  } catch {
    showToast(messages.network)
  }
}
